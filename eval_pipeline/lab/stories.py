"""The stories that the lab's word problems are told in: (a first b) second c."""

from dataclasses import dataclass

NAMES = (
    "Ada", "Bela", "Cato", "Dora", "Emil", "Fenja", "Gus", "Hana", "Ivo", "Juna", "Kofi", "Lior",
    "Mira", "Nils", "Oona", "Pavel", "Quirin", "Runa", "Sami", "Tove", "Una", "Vito", "Wanda",
    "Xenia", "Yusuf", "Zora",
)  # fmt: skip
OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}


@dataclass(frozen=True)
class Story:
    """A two-step problem. `{name}` and `{other}` are people, `{thing}` is one of `things`."""

    steps: str  # the two operations, such as "-+"
    text: str
    things: tuple[str, ...]  # the last is kept for problems that no benchmark holds
    counted: str  # what the answer counts

    @property
    def operation(self) -> str:
        """The second step's operation: the slice that the item belongs to."""
        return OPERATIONS[self.steps[1]]


STORIES = (
    # the second step adds
    Story(
        "-+",
        "{name} keeps {a} {thing} in a drawer by the window. On Monday {b} of them go to {other}, "
        "and later the postman brings {c} more. How many {thing} lie in the drawer then?",
        ("stamps", "postcards", "ribbons", "coins", "feathers", "tickets", "pebbles"),
        "{thing}",
    ),
    Story(
        "*+",
        "At the bakery {name} lays out {a} trays with {b} {thing} on each. A last small tray holds "
        "only {c}. What is the number of {thing} that {name} has laid out?",
        ("rolls", "tarts", "pretzels", "buns", "scones", "waffles", "flatbreads"),
        "{thing}",
    ),
    Story(
        "/+",
        "{a} {thing} are shared evenly among {b} tents at the summer camp. {name} had already "
        "stored {c} in the tent by the brook. How many does that tent own now?",
        ("blankets", "candles", "cups", "mugs", "torches", "hammocks", "lanterns"),
        "{thing}",
    ),
    Story(
        "++",
        "Three boats come home. The first carries {a} {thing}, the second {b}, and the boat that "
        "{name} steers brings {c}. How many {thing} reach the quay in all?",
        ("mussels", "crabs", "herrings", "oysters", "eels", "sardines", "mackerels"),
        "{thing}",
    ),
    Story(
        "*+",
        "{name} reads {a} pages of a book about {thing} on each of {b} evenings, and on Sunday "
        "another {c} pages. How many pages has {name} read?",
        ("owls", "comets", "bridges", "volcanoes", "clocks", "rivers", "mosses"),
        "pages",
    ),
    Story(
        "-+",
        "A flock of {a} {thing} rests on the marsh. When {name} opens the gate {b} fly off, but "
        "before dusk {c} others land. Count the {thing} on the marsh at dusk.",
        ("geese", "starlings", "swans", "cranes", "plovers", "ducks", "herons"),
        "{thing}",
    ),
    Story(
        "/+",
        "In the orchard {other} splits {a} {thing} into {b} equal baskets. {name} drops {c} more "
        "into the last basket. What does the last basket hold?",
        ("pears", "plums", "quinces", "apples", "apricots", "figs", "medlars"),
        "{thing}",
    ),
    Story(
        "++",
        "For the lantern walk {name} folds {a} paper {thing}, {other} folds {b}, and their aunt "
        "adds {c}. How many paper {thing} do they take along?",
        ("moons", "fishes", "stars", "boats", "suns", "dragons", "bells"),
        "{thing}",
    ),
    Story(
        "*+",
        "A small theatre has {a} rows of {b} seats, and {name} carries in {c} {thing} for late "
        "guests. How many guests can sit?",
        ("stools", "folding chairs", "cushions", "benches", "crates", "pillows", "milking stools"),
        "guests",
    ),
    Story(
        "-+",
        "The tank behind the greenhouse held {a} litres. {name} poured {b} litres over the "
        "{thing}, then a shower filled in {c} litres. How many litres are in the tank?",
        ("beans", "melons", "peppers", "lettuces", "pumpkins", "cucumbers", "leeks"),
        "litres",
    ),
    Story(
        "/+",
        "{name} cuts a rope of {a} metres into {b} equal lengths for the {thing} and ties {c} "
        "metres of old cord to one of them. How long is that one, in metres?",
        ("swings", "goats", "kites", "calves", "hammocks", "sails", "puppets"),
        "metres",
    ),
    Story(
        "++",
        "On a walk {name} counts {a} {thing} before the bridge, {b} after it, and {c} along the "
        "lane home. How many {thing} is that altogether?",
        ("snails", "milestones", "red doors", "molehills", "wells", "sheep", "garden gnomes"),
        "{thing}",
    ),
    # the second step takes away
    Story(
        "+-",
        "{name} and {other} empty their pockets: {a} {thing} from one, {b} from the other. They "
        "give {c} to a little cousin. How many are left on the table?",
        ("marbles", "acorns", "buttons", "pebbles", "chestnuts", "beads", "bottle tops"),
        "{thing}",
    ),
    Story(
        "*-",
        "{a} crates arrive with {b} {thing} in every crate. While unpacking, {name} finds {c} that "
        "are cracked. How many {thing} are sound?",
        ("jars", "tiles", "flower pots", "bottles", "saucers", "light bulbs", "eggs"),
        "{thing}",
    ),
    Story(
        "/-",
        "{other} deals {a} {thing} evenly to {b} players. {name}, one of the players, lays down "
        "{c} at once. How many does {name} still hold?",
        ("cards", "counters", "tokens", "dominoes", "riddles", "coloured sticks", "shells"),
        "{thing}",
    ),
    Story(
        "--",
        "A shelf in the village shop had {a} {thing}. {b} were sold before noon and {name} bought "
        "{c} in the afternoon. How many remained on the shelf?",
        ("notebooks", "lamps", "brushes", "pencils", "teapots", "padlocks", "doormats"),
        "{thing}",
    ),
    Story(
        "+-",
        "The ferry leaves with {a} passengers and takes on {b} at the island. At the lighthouse "
        "{name} and others, {c} people in all, step off to look for {thing}. How many stay aboard?",
        ("seals", "amber", "shells", "puffins", "lichens", "driftwood", "sea glass"),
        "passengers",
    ),
    Story(
        "*-",
        "{name} knits {a} scarves and uses {b} balls of {thing} wool for each. {other} gives back "
        "{c} balls that were not needed after all. How many balls were really used?",
        ("grey", "green", "yellow", "brown", "white", "orange", "violet"),
        "balls",
    ),
    Story(
        "--",
        "From a sack of {a} {thing} the kitchen takes {b} for soup. {name} plants {c} along the "
        "fence. How many {thing} stay in the sack?",
        ("onions", "potatoes", "bulbs", "carrots", "turnips", "garlic bulbs", "shallots"),
        "{thing}",
    ),
    Story(
        "/-",
        "{a} {thing} were packed in {b} boxes, the same number in each. {name} opened one box and "
        "took out {c}. What is left in the opened box?",
        ("spoons", "candles", "bells", "thimbles", "whistles", "marbles", "forks"),
        "{thing}",
    ),
    Story(
        "+-",
        "{name} saved {a} coins in spring and {b} in autumn, then paid {c} coins for a second-hand "
        "{thing}. How many coins does {name} have now?",
        ("drum", "sledge", "telescope", "guitar", "tent", "cuckoo clock", "microscope"),
        "coins",
    ),
    Story(
        "*-",
        "A choir stands in {a} lines of {b} singers. After the first song {c} singers leave to "
        "ring the {thing}. How many singers stay with {name}?",
        ("bells", "gongs", "chimes", "hand bells", "sleigh bells", "tower bells", "small drums"),
        "singers",
    ),
    Story(
        "--",
        "The trail over the ridge is {a} metres long. {name} walks {b} metres, rests by the "
        "{thing}, and walks {c} more. How many metres are still to go?",
        ("spring", "cairn", "hut", "waterfall", "oak", "chapel", "signpost"),
        "metres",
    ),
    Story(
        "/-",
        "{other} pours {a} grams of {thing} into {b} equal bags. {name} borrows {c} grams out of "
        "one bag. How many grams does that bag weigh now?",
        ("flour", "rice", "salt", "sugar", "barley", "lentils", "poppy seed"),
        "grams",
    ),
    # the second step multiplies
    Story(
        "+*",
        "Every day {name} feeds {a} brown and {b} white {thing}. Each gets one scoop of grain. How "
        "many scoops are gone after {c} days?",
        ("hens", "ducks", "rabbits", "geese", "turkeys", "quails", "guinea fowl"),
        "scoops",
    ),
    Story(
        "-*",
        "{name} has {a} {thing} and keeps {b} back. The others are sold for {c} coins apiece. How "
        "many coins does {name} take in?",
        (
            "lanterns",
            "clay cups",
            "baskets",
            "bird boxes",
            "candlesticks",
            "brooms",
            "wooden bowls",
        ),
        "coins",
    ),
    Story(
        "**",
        "A house has {a} floors with {b} windows on each. {name} puts {c} {thing} on every sill. "
        "How many {thing} are needed?",
        ("candles", "geraniums", "paper birds", "violets", "lamps", "paper stars", "clay owls"),
        "{thing}",
    ),
    Story(
        "/*",
        "{a} {thing} stand in {b} equal rows. {name} waters {c} of these rows before breakfast. "
        "How many {thing} have been watered?",
        (
            "seedlings",
            "young firs",
            "tomato plants",
            "rose bushes",
            "vines",
            "cabbages",
            "berry bushes",
        ),
        "{thing}",
    ),
    Story(
        "+*",
        "A ticket to see the {thing} costs {a} coins, the guide asks {b} coins more from each "
        "visitor. What does {name} pay for a party of {c}?",
        ("cave", "old mill", "tower", "castle", "glasshouse", "windmill", "silver mine"),
        "coins",
    ),
    Story(
        "-*",
        "Out of {a} {thing} in the workshop {b} have no wheels yet. {name} paints all finished "
        "ones and needs {c} strokes for each. How many strokes is that?",
        ("carts", "toy trains", "wagons", "barrows", "scooters", "sledges", "pull-along ducks"),
        "strokes",
    ),
    Story(
        "**",
        "{name} packs {a} parcels. In each there are {b} bags, and in every bag {c} {thing}. How "
        "many {thing} has {name} packed?",
        ("walnuts", "beads", "toffees", "raisins", "almonds", "pebbles", "liquorice drops"),
        "{thing}",
    ),
    Story(
        "/*",
        "A baker needs {a} grams of {thing} for {b} loaves that are all alike. {name} wants to "
        "bake just {c} loaves. How many grams should be weighed out?",
        ("rye", "spelt", "oats", "millet", "wheat flour", "semolina", "cornmeal"),
        "grams",
    ),
    Story(
        "+*",
        "{a} girls and {b} boys join the {thing} club, and {name} hands {c} pencils to every "
        "child. How many pencils are handed out?",
        ("drawing", "chess", "map", "rowing", "pottery", "star-gazing", "beekeeping"),
        "pencils",
    ),
    Story(
        "-*",
        "The harbour crane lifts {a} containers, but {b} stand empty. Each of the full ones holds "
        "{c} {thing}. How many {thing} does {name} write on the list?",
        ("bicycles", "sofas", "stoves", "pianos", "tyres", "deckchairs", "ovens"),
        "{thing}",
    ),
    Story(
        "**",
        "On each of {a} hills {name} finds {b} nests of {thing}, with {c} eggs in every nest. How "
        "many eggs is that?",
        ("larks", "plovers", "buntings", "wrens", "siskins", "finches", "warblers"),
        "eggs",
    ),
    Story(
        "/*",
        "{other} divides {a} minutes of practice into {b} equal parts and plays the {thing} for "
        "{c} of them. How many minutes does {name} hear it?",
        ("flute", "cello", "harp", "oboe", "viola", "trumpet", "accordion"),
        "minutes",
    ),
    # the second step shares out
    Story(
        "+/",
        "{name} picks {a} {thing} and {other} picks {b}. They lay them in {c} bowls so that all "
        "bowls hold the same. How many are in one bowl?",
        ("cherries", "berries", "figs", "gooseberries", "plums", "hazelnuts", "rose hips"),
        "{thing}",
    ),
    Story(
        "-/",
        "A school orders {a} {thing}; {b} turn out too small and go back. The rest is shared "
        "evenly by {c} classes. What does the class of {name} get?",
        ("caps", "aprons", "whistles", "scarves", "folders", "badges", "raincoats"),
        "{thing}",
    ),
    Story(
        "*/",
        "{a} wagons bring {b} logs each to the camp. {name} stacks all logs in {c} equal piles for "
        "the {thing}. How many logs make one pile?",
        ("stoves", "bonfires", "kilns", "saunas", "smokehouses", "brick ovens", "forges"),
        "logs",
    ),
    Story(
        "//",
        "The mayor divides {a} {thing} equally among {b} streets, and in the street of {name} they "
        "go equally to {c} houses. How many does one house receive?",
        ("saplings", "flags", "bins", "benches", "compost heaps", "street lamps", "trees"),
        "{thing}",
    ),
    Story(
        "+/",
        "There are {a} metres of blue and {b} metres of red cloth for {c} {thing} of one size. How "
        "many metres of cloth may {name} use for each?",
        ("tents", "curtains", "sails", "banners", "hammocks", "tablecloths", "kites"),
        "metres",
    ),
    Story(
        "-/",
        "{name} bakes {a} {thing}. The dog steals {b}. What is left is put on {c} plates in equal "
        "parts. How many {thing} are on a plate?",
        ("biscuits", "waffles", "dumplings", "pancakes", "pretzels", "muffins", "cheese rolls"),
        "{thing}",
    ),
    Story(
        "*/",
        "{name} earns {b} coins on each of {a} market days by selling {thing}. The sum is divided "
        "evenly over {c} jars. How many coins go into a jar?",
        ("honey", "soap", "herbs", "candles", "beeswax", "jam", "dried pears"),
        "coins",
    ),
    Story(
        "//",
        "A roll of {a} {thing} is torn into {b} equal strips, and {name} tears every strip into "
        "{c} equal bits. How many {thing} has a bit?",
        ("tickets", "stickers", "labels", "stamps", "coupons", "name tags", "postage marks"),
        "{thing}",
    ),
    Story(
        "+/",
        "At low tide {a} children come from the village and {b} from the farms. {name} leads them "
        "to the {thing} in {c} groups of one size. How large is a group?",
        ("sandbank", "rock pools", "wreck", "lighthouse", "salt pans", "old pier", "seal colony"),
        "children",
    ),
    Story(
        "-/",
        "The train has {a} seats, of which {b} are reserved for the {thing}. {name} spreads the "
        "other seats evenly over {c} carriages. How many free seats has a carriage?",
        ("band", "fair", "football club", "choir", "circus", "hikers", "brass players"),
        "seats",
    ),
    Story(
        "*/",
        "In {a} albums {name} has {b} pictures of {thing} each. All of them are moved to {c} new "
        "albums, the same number in each. How many pictures does a new album hold?",
        ("clouds", "ships", "beetles", "rainbows", "mountains", "engines", "orchids"),
        "pictures",
    ),
    Story(
        "//",
        "{a} litres of {thing} fill {b} barrels of one size. {name} fills {c} cans of one size "
        "from one barrel. How many litres does a can take?",
        ("cider", "milk", "lamp oil", "vinegar", "apple juice", "rain water", "rapeseed oil"),
        "litres",
    ),
)
