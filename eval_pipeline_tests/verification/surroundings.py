"""What stands around an answer in real replies: prose of many languages, markdown, end tokens.

No frame holds a digit, an option's letter, a box or a JSON object, so none says an answer.
"""

from collections.abc import Callable

Frame = Callable[[str], str]

PROSE = {  # before and after, as models write it
    "English": ("Let me think about this carefully.", "I hope this helps!"),
    "German": ("Gehen wir Schritt für Schritt vor.", "Ich hoffe, das hilft weiter!"),
    "French": ("Voyons cela pas à pas.", "J'espère que cela vous aide !"),
    "Spanish": ("Vamos paso por paso.", "¡Espero que esto te ayude!"),
    "Portuguese": ("Vamos pensar passo por passo.", "Espero que isto ajude!"),
    "Italian": ("Procediamo passo per passo.", "Spero che questo sia utile!"),
    "Dutch": ("Laten we dit stap voor stap bekijken.", "Hopelijk helpt dit!"),
    "Swedish": ("Vi går igenom det steg för steg.", "Hoppas att det hjälper!"),
    "Polish": ("Przejdźmy przez to krok po kroku.", "Mam nadzieję, że to pomoże!"),
    "Czech": ("Pojďme na to krok za krokem.", "Snad to pomůže!"),
    "Russian": ("Давайте решим это шаг за шагом.", "Надеюсь, это поможет!"),
    "Turkish": ("Bunu adım adım düşünelim.", "Umarım bu yardımcı olur!"),
    "Vietnamese": ("Hãy cùng suy nghĩ từng bước.", "Hy vọng điều này hữu ích!"),
    "Indonesian": ("Mari kita pikirkan langkah demi langkah.", "Semoga membantu!"),
    "Chinese": ("让我们仔细想一想。", "希望这对你有帮助！"),
    "Japanese": ("順番に考えてみましょう。", "お役に立てば幸いです。"),
    "Korean": ("차근차근 생각해 보겠습니다.", "도움이 되었기를 바랍니다!"),
    "Arabic": ("لنفكر في ذلك بهدوء.", "آمل أن يكون هذا مفيدا!"),
    "Hindi": ("आइए इसे ध्यान से सोचें।", "आशा है कि इससे मदद मिलेगी!"),
    "Thai": ("มาคิดกันทีละขั้น", "หวังว่าจะช่วยได้"),
    "Greek": ("Ας το σκεφτούμε βήμα βήμα.", "Ελπίζω να βοηθάει!"),
    "Hebrew": ("בואו נחשוב על זה לאט.", "מקווה שזה עוזר!"),
}
END_TOKENS = ("</s>", "<|im_end|>", "<eos>", "<|eot_id|>", "<end_of_turn>", "<|endoftext|>")


def _between(before: str, after: str) -> Frame:
    return lambda reply: f"{before}{reply}{after}"


SURROUNDINGS: dict[str, Frame] = {
    "as it is": _between("", ""),
    "empty lines": _between("\n\n", "\n\n"),
    "lines of Windows": _between("Sure.\r\n\r\n", "\r\n"),
    "a heading": _between("## Solution\n\n", ""),
    "a rule below": _between("", "\n\n---\n"),
    "a heading below": _between("", "\n\n### Why\n\nSee the steps above."),
    "reasoning before": _between("<think>\nHm, is it so? Let me see.\n</think>\n", ""),
    "a list before": _between("- read the question\n- think\n\n", ""),
    **{f"{name} before": _between(f"{before}\n\n", "") for name, (before, _) in PROSE.items()},
    **{f"{name} after": _between("", f"\n\n{after}") for name, (_, after) in PROSE.items()},
    **{f"{token} after": _between("", token) for token in END_TOKENS},
    **{f"{token} apart": _between("", f" {token}\n") for token in END_TOKENS},
}
