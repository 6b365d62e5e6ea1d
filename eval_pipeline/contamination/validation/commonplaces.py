"""Passages that everybody quotes: an item and a document that share one share nothing else."""

from collections.abc import Mapping

COMMONPLACES: Mapping[str, tuple[str, ...]] = {
    "quote": (
        "It was the best of times, it was the worst of times, it was the age of wisdom",
        "To be, or not to be, that is the question: whether 'tis nobler in the mind to suffer",
        "Four score and seven years ago our fathers brought forth on this continent a new nation",
        "We hold these truths to be self-evident, that all men are created equal",
        "In the beginning God created the heaven and the earth. And the earth was without form",
        "It is a truth universally acknowledged, that a single man in possession of a good fortune",
    ),
    "identity": (
        "sin^2(x) + cos^2(x) = 1 and sin(2x) = 2 sin(x) cos(x) for all real x",
        "a^2 - b^2 = (a - b)(a + b) and (a + b)^2 = a^2 + 2ab + b^2",
        "x = (-b +/- sqrt(b^2 - 4ac)) / (2a), where a is not equal to zero",
        "log(xy) = log(x) + log(y) and log(x / y) = log(x) - log(y)",
        "the sum of the first n natural numbers is n(n + 1) / 2",
    ),
    "licence": (
        "Permission is hereby granted, free of charge, to any person obtaining a copy",
        'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED',
        "SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note. All rights reserved.",
        "you may not use this file except in compliance with the License. You may obtain a copy",
        "Redistribution and use in source and binary forms, with or without modification",
    ),
}
