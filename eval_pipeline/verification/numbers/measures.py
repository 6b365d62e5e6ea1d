"""Two measures in one unit: exact where units convert, unsettled where a unit has several sizes."""

from fractions import Fraction

from eval_pipeline.verification.numbers.units import Dimension, Unit

Value = int | Fraction

# what a unit without one size is near to, and the base units of that
_NEAR = {
    "ton": (Fraction(1000), (("kg", 1),)),
    "gallon": (Fraction("0.0042"), (("m", 3),)),
    "month": (Fraction(30 * 86400), (("s", 1),)),
}
_AS_NEAR = Fraction(5, 4)  # a long and a short ton, two gallons, 28 to 31 days lie within it
_CELSIUS, _FAHRENHEIT, _KELVIN = (("celsius", 1),), (("fahrenheit", 1),), (("K", 1),)
_DEGREE = (("degree", 1),)


def alike(value: Value, unit: Unit, target: Value, other: Unit) -> tuple[Value, Value, bool] | None:
    """Both values in one unit, and whether that settles an equality; None for other dimensions.

    Degrees of Celsius, Fahrenheit and kelvins are points of a scale, so that 30 °C is 86 °F; as
    differences they would be others, and equal differences settle nothing. Degrees without a scale
    are taken to be in the other's.
    """
    if unit.dimension == other.dimension:
        if unit.factor == other.factor:
            return value, target, True
        return value * unit.factor, target * other.factor, True
    dimensions = {unit.dimension, other.dimension}
    if _DEGREE in dimensions and dimensions & {_CELSIUS, _FAHRENHEIT}:
        return value, target, True
    if dimensions <= {_CELSIUS, _FAHRENHEIT, _KELVIN}:
        steps = _step(unit) * value, _step(other) * target
        if steps[0] == steps[1] and value:
            return *steps, False
        return _point(value, unit), _point(target, other), True
    near = _near(unit), _near(other)
    if near[0].dimension != near[1].dimension:
        return None
    a, b = value * near[0].factor, target * near[1].factor
    is_near = a == b or (a * b > 0 and abs(a) <= abs(b) * _AS_NEAR and abs(b) <= abs(a) * _AS_NEAR)
    return (a, a, False) if is_near else (a, b, True)


def _point(value: Value, unit: Unit) -> Fraction:
    """A point of a scale of temperature, in kelvins."""
    if unit.dimension == _FAHRENHEIT:
        return (Fraction(value) + Fraction("459.67")) * Fraction(5, 9)
    at = Fraction(value) * unit.factor
    return at + Fraction("273.15") if unit.dimension == _CELSIUS else at


def _step(unit: Unit) -> Fraction:
    return Fraction(5, 9) if unit.dimension == _FAHRENHEIT else unit.factor


def _near(unit: Unit) -> Unit:
    """The unit with those that have several sizes replaced by what they are near to."""
    factor = unit.factor
    rest = Unit((), Fraction(1))
    powers: list[tuple[str, int]] = []
    for base, power in unit.dimension:
        if base in _NEAR:
            size, dimension = _NEAR[base]
            factor *= size**power
            raised: Dimension = tuple((b, p * power) for b, p in dimension)
            rest = rest.times(Unit(raised, Fraction(1)))
        else:
            powers.append((base, power))
    return Unit(tuple(powers), factor).times(rest)
