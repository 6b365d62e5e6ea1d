"""Questions that people ask a helpful assistant, and sentences that answer them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """Questions with one `{subject}`, its subjects, and tips that fit all of them."""

    name: str
    questions: tuple[str, ...]
    subjects: tuple[str, ...]
    tips: tuple[str, ...]


TOPICS = (
    Topic(
        "garden",
        (
            "How do I keep {subject} alive on a windy balcony?",
            "What should I know before I plant {subject}?",
            "My {subject} look tired this month. What can I do?",
            "When is the right time to move {subject} outside?",
        ),
        ("basil and mint", "two young fig trees", "sweet peas", "climbing beans", "old roses",
         "strawberries", "a row of lavender", "potted ferns", "winter leeks", "sunflowers",
         "bog myrtle", "dwarf apples", "chives", "moss in bowls", "late tomatoes"),
        (
            "Water early in the day, so that the leaves are dry by night.",
            "Press a finger into the soil before you water; it should feel dry at the first joint.",
            "A saucer of gravel below the pot keeps the roots from standing in water.",
            "Move the pots a little closer together when a storm is coming.",
            "Cut away what is brown and leave what is merely pale.",
            "A thin layer of straw keeps the soil cool and the weeds out.",
            "Feed sparingly, since too much makes long and weak shoots.",
            "Turn the pots by a quarter each week if the light comes from the side.",
        ),
    ),
    Topic(
        "kitchen",
        (
            "What can I cook with {subject} and very little time?",
            "How do I store {subject} so that nothing spoils?",
            "Guests are coming and I only have {subject}. Any ideas?",
            "Can you help me make {subject} taste less plain?",
        ),
        ("leftover rice", "a large pumpkin", "stale bread", "three kinds of beets", "red lentils",
         "a basket of mushrooms", "too many eggs", "barley", "sour cherries", "a wheel of soft "
         "cheese", "white beans", "green cabbage", "dried apricots", "buckwheat", "parsnips"),
        (
            "Warm the pan before the oil, and the oil before anything else.",
            "Salt in small steps and taste between them.",
            "A squeeze of lemon at the end wakes up most plain dishes.",
            "Cool leftovers quickly and spread out, not in a deep pot.",
            "Toast spices for half a minute before they meet any liquid.",
            "Keep the water that you boiled it in; it makes a good start for a soup.",
            "Something crisp on top, such as crumbs or seeds, helps a soft dish.",
            "Let it rest for some minutes before you serve it.",
        ),
    ),
    Topic(
        "travel",
        (
            "How should I plan {subject} without a car?",
            "What do I pack for {subject}?",
            "We are two adults and a small child: is {subject} a good idea?",
            "How do I keep {subject} cheap and calm?",
        ),
        ("a weekend by the sea", "a walk along the old canal", "four days in the hills", "a night "
         "train to the north", "a visit to three museums", "a cycling week", "a trip to the salt "
         "marshes", "a day on the islands", "the harvest fair", "a week in a lighthouse", "a tour "
         "of small theatres", "a canoe trip", "a winter market", "a stay on a farm", "a long hike"),
        (
            "Look up the last connection home before you look up the first one out.",
            "Pack for the coldest evening and leave the third pair of shoes.",
            "Keep one afternoon without any plan.",
            "Write the address of your lodging on paper, for the day the battery is empty.",
            "Carry water and something salty, even for a short way.",
            "Ask at the station about day tickets; they are often cheaper than two singles.",
            "Start with the farthest point and work your way back.",
            "Agree beforehand when you will turn round.",
        ),
    ),
    Topic(
        "study",
        (
            "How can I learn {subject} in the evenings?",
            "I keep forgetting what I read about {subject}. What helps?",
            "How do I explain {subject} to a twelve-year-old?",
            "Give me a plan to get started with {subject}.",
        ),
        ("the names of the stars", "fractions", "old handwriting", "how tides work", "knots",
         "bird song", "a little carpentry", "reading maps", "the history of bread",
         "musical scales", "chess openings", "how glass is made", "cloud types", "basic statistics",
         "bookbinding"),
        (
            "Ten minutes each evening bring more than one long Sunday.",
            "Close the book and say aloud what you remember before you look again.",
            "Draw it, however badly, and label every part.",
            "Begin with one example that you know well and change a single thing in it.",
            "Keep a list of what confused you; it is the best table of contents.",
            "Teach it to somebody patient.",
            "Mix old questions among the new ones.",
            "Stop while it is still going well, so that you look forward to the next time.",
        ),
    ),
    Topic(
        "letters",
        (
            "How do I write {subject} that does not sound stiff?",
            "Please help me with {subject}. How should it begin?",
            "What belongs in {subject}, and what does not?",
            "How long should {subject} be?",
        ),
        ("a thank-you note to a neighbour", "an apology to a friend", "a speech for my sister's "
         "wedding", "a notice about a lost cat", "a reference for a gardener", "an invitation to a "
         "picnic", "a complaint about a noisy fridge", "a farewell card",
         "a message to new tenants", "a short biography", "a letter to my former teacher",
         "a request for more time", "a toast",
         "a rule list for the shared kitchen", "a birthday poem"),
        (
            "Begin with the one thing that you most want to say.",
            "Name a detail that only you could know.",
            "Read it aloud; where you stumble, cut.",
            "Use the words that you would use across a table.",
            "One request for each letter is plenty.",
            "Leave out excuses, and keep the reason.",
            "Let it lie overnight if there is any anger in it.",
            "End with what happens next.",
        ),
    ),
)  # fmt: skip

OPENERS = (
    "Happy to help with {subject}.",
    "Good question.",
    "Here is what usually works.",
    "A few things make the difference.",
    "This is easier than it looks.",
    "Let me suggest a simple way.",
)
GENERAL = (
    "Start small and change one thing at a time.",
    "Write down what you did, so that you can repeat what worked.",
    "Do not worry if the first try is a little off.",
    "It helps to set aside a fixed time for it.",
    "Ask somebody who has done it before; people like to be asked.",
    "Cheap tools are fine to begin with.",
    "If something goes wrong, go back to the last step that was clear.",
    "Most of the work is preparation, and it can be done sitting down.",
    "Give it two weeks before you judge.",
    "When in doubt, choose the plainer way.",
    "Check the weather, the date and your own patience, in that order.",
    "Keep what you need within reach and put everything else away.",
    "Share the result with a friend, even when it is not perfect.",
    "There is no need to follow every rule that you read.",
    "A short pause in the middle does no harm.",
    "Notice what you enjoyed, and do more of that next time.",
)
CLOSINGS = (
    "Tell me how it goes.",
    "That should carry you a good way.",
    "If you like, I can go into more detail.",
    "Enjoy it.",
    "And be kind to yourself while you learn.",
)
