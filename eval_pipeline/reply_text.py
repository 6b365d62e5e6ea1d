"""What a reply holds beside its answer: reasoning before it, and tokens that end a turn.

Cut in the same way wherever a reply is read: at ingest, by `check`, and before a judge's verdict.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

# Tags of reasoning; the group is the family, of which one name may end what another began.
_TAG = re.compile(
    r"[<&\[◁](?i:(?:(?<=<)|(?<=&)lt;)\s?/?\s?(?!no_)(?:"
    r"(?P<thought>(?:[a-z]{2,12}[:_])?(?:think(?:ing)?|thoughts?)(?:_process|_block)?"
    r"|chain_of_thoughts?|cot)"
    r"|(?P<reasoning>reason(?:ing)?|rationale)"
    r"|(?P<reflection>reflections?)|(?P<scratchpad>scratch_?pad)"
    r"|(?P<monologue>(?:inner|internal)_monologue)|(?P<analysis>analysis)"
    r")(?:\s[^<>]{0,200}(?<!/))?\s?(?:>|&gt;)"
    r"|(?P<bracket>(?<=\[)/?(?:think(?:ing)?|reasoning)\])"
    r"|(?P<sign>(?<=◁)/?think(?:ing)?▷)"
    r"|(?P<token>(?<=<)\|(?:/|(?:begin|start|end)_?(?:of_?)?)?"
    r"(?:think(?:ing)?|thoughts?|reasoning)\|>)"
    r"|(?P<channel>(?<=<)(?:\|channel>thought\b|channel\|>))"
    r"|(?P<unused>(?<=<)(?:unused94>thought\b|unused95>)))"
)
_ENDS = re.compile(r"(?:[<\[◁]|&lt;)\s?/|<\|(?:/|end)|<channel\||<unused95", re.IGNORECASE)
# what a turn may begin with
_LEAD = re.compile(
    r"(?:[\s\ufeff\u200b>*]|<\|[^<>|\n]{1,40}\|>|<s>|<bos>|<start_of_turn>|(?:model|assistant)\b:?)*+"
)
_FENCE = re.compile(r"^[ \t]{0,9}(?:`{3,9}|~{3,9})([^\n`~]{0,80})", re.MULTILINE)
_WEAK = "analysis"  # also the name of a part of an ordinary reply
_ENDS_TRIED = 8
_QUOTES = {"“": "”", "‘": "’", "«": "»", "「": "」"}
_SINGLE_ENDS = re.compile(r"'(?!\w)")
_THING = r"(?:tags?|token|markers?|delimiters?)"
_CALLED_BEFORE = re.compile(rf"\b{_THING}:? \Z", re.IGNORECASE)
_CALLED_AFTER = re.compile(rf"[ -]{_THING}\b")
_ANSWER_TOKEN = re.compile(
    r"<\|(?:(?:begin|start|end)_?(?:of_?)?(?:solution|response|answer))\|>", re.IGNORECASE
)
# all that is said, in a block of its own
_WRAPPED = re.compile(
    r"<(?P<tag>output|response|final|final_response|reply)>(?P<said>.*)</(?P=tag)>\s*+",
    re.IGNORECASE | re.DOTALL,
)

# turns in channels, of which the last `final` one is spoken
_FINAL = re.compile(
    r"<\|channel\|>\s{0,3}final[^<\n`]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
)
_ASIDE = re.compile(r"\s*+(?:<\|start\|>\s{0,3}assistant\s{0,3})?<\|channel\|>\s{0,3}(?!final)")
_TURN_ENDS = re.compile(r"<\|(?:return|end|start|call)\|>")
_HEADER = re.compile(
    r"<\|(?:start\|>\s{0,3}assistant|channel\|>\s{0,3}(?:analysis|commentary)|message\||end\|)>?"
)
_IN_WORDS = (  # channels without their tokens, and reasoning between two sentences
    ("analysis", re.compile(r"assistantfinal")),
    ("Here is my thought process:", re.compile(r"Here(?: is|['’]s) my response:")),
)

# Special tokens of the usual families: Llama, Mistral, Qwen, Gemma, DeepSeek, Phi, GLM, InternLM,
# Baichuan, Command, Granite, EXAONE, Kimi, gpt-oss, and of BERT and T5. Each begins with < or [.
_OPENS_A_TURN = (
    r"(?:<\|(?:im_start|im_user|im_system|im_assistant|start|start_header_id|header_start"
    r"|start_of_role|START_OF_TURN_TOKEN)\|>|<start_of_turn>)"
)
_OTHERS_TURN = (
    rf"{_OPENS_A_TURN}\s{{0,3}}(?:(?:user|human|system|developer|tool|ipython)(?![A-Za-z])"
    r"|<\|(?:USER|SYSTEM)_TOKEN\|>)|<[|｜](?i:user|human|system|prompter|observation)[|｜]>"
    r"|\[INST\]|\[\|(?:user|system)\|\]|<reserved_106>|<用户>"
)
_TOKEN = (
    rf"{_OPENS_A_TURN}\s{{0,3}}(?:(?:assistant|model|bot)(?![A-Za-z]))?+"
    r"|<\|channel\|>(?:analysis|commentary|final)?+"
    r"|<[|｜][A-Za-z▁][\w▁ :.-]{1,40}+[|｜]>"
    r"|</?+s>|<(?i:[bes]o[sdpt]|eo[achmr]|pad|sep|cls|end_?of_?(?:turn|text|sentence|utterance)"
    r"|beginning_of_sentence|(?:bos|eos|pad)_token|seed:(?:bos|eos|pad)"
    r"|(?:tokens_unused|reserved|extra_id)_\d{1,4})>|<AI>"
    r"|\[/?+INST\]|\[/?+SYSTEM_PROMPT\]|<</?+SYS>>|\[(?:BOS|EOS|EOT|EOD|PAD|SEP|CLS|[gs]MASK)\]"
    r"|\[\|[a-z]{3,20}\|\]"
)
_TOKENS = re.compile(
    # in quotes or in a closed fence it is spoken of; <s>struck</s> is markup
    rf"(?P<kept>```(?:(?!```).)*+```|(?P<quote>[\"'`])(?:{_TOKEN})(?P=quote)"
    r"|<s>[^<\n]{1,200}</s>(?=[ \t]{0,9}[^\W_])|(?<=[^\s>\ufeff])[ \t]?<s>[^<\n]{1,200}</s>)"
    rf"|(?P<other>{_OTHERS_TURN})|{_TOKEN}",
    re.DOTALL,
)
_LOST = re.compile(r"(?:\s*+(?i:<unk>|\[unk\]))++\s*+\Z")  # within a text it says that some is lost


@dataclass(frozen=True)
class Spoken:
    """A reply in two parts.

    text: what is said to the reader. reasoning: what was thought aloud before, None where nothing
    was. is_closed: whether the reasoning ended; where it did not, no answer came and text is empty.
    """

    text: str
    reasoning: str | None = None
    is_closed: bool = True


def spoken(reply: str) -> Spoken:
    """A reply without its reasoning.

    A block of reasoning opens the reply, a line or a sentence; what stands before a lone closing
    tag is reasoning too. A tag that is quoted, stands in a fence, is called a tag, or stands in
    the middle of a sentence is text: a model may well write about it.
    """
    if "<|channel|>" in reply and (found := _by_channel(reply)):
        return found
    if "<" in reply or "[" in reply or "◁" in reply or "&lt;" in reply:
        tags = [_Tag.of(found) for found in _TAG.finditer(reply)]
        if tags and (cut := _by_tags(reply, tags)):
            return cut
    return _in_words(reply) or Spoken(reply)


@dataclass(frozen=True)
class _Tag:
    """A tag that begins or ends a block of reasoning."""

    family: str
    ends: bool
    start: int
    end: int

    @classmethod
    def of(cls, found: re.Match[str]) -> "_Tag":
        ends = _ENDS.match(found[0]) is not None
        return cls(found.lastgroup or "", ends, found.start(), found.end())


def _by_tags(reply: str, tags: list[_Tag]) -> Spoken | None:
    """The reply without its blocks; None where every tag is text."""
    fences = _Fences.of(reply)
    quoted = {i for i, tag in enumerate(tags) if _is_quoted(reply, tag)}
    told = quoted | {i for i, tag in enumerate(tags) if _is_called_a_tag(reply, tag)}
    following = _following_ends(tags, quoted)
    kept: list[str] = []
    thoughts: list[str] = []
    excused: set[int] = set()  # ends of tags that are text
    at, i = 0, 0  # what stands before `at` is kept or thought
    while i < len(tags):
        tag = tags[i]
        is_text = i in told or i in excused or fences.hold(tag, at)
        leads = not kept and _LEAD.fullmatch(reply, at, tag.start) is not None
        if tag.ends:
            if is_text or tag.family == _WEAK:
                pass
            elif thoughts and reply[at : tag.start].strip() and not reply[tag.end :].strip():
                kept.append(reply[at : tag.start])  # an end said again, after the answer
                at = tag.end
            else:
                thoughts.append("".join(kept) + reply[at : tag.start])
                kept, at = [], tag.end
        elif not is_text and (leads or thoughts or _begins(reply, tag)):
            end = _end_of(tags, i, following, fences)
            if end is not None and (tag.family != _WEAK or reply[tags[end].end :].strip()):
                if not leads:
                    kept.append(reply[at : tag.start])
                thoughts.append(reply[tag.end : tags[end].start])
                at, i = tags[end].end, end
            elif end is None and tag.family != _WEAK and (leads or _begins(reply, tag, "\n")):
                before = "" if leads else "".join(kept) + reply[at : tag.start]
                return Spoken("", _joined([*thoughts, before, reply[tag.end :]]), False)
        elif (end := following[i]) is not None:
            excused.add(end)
        i += 1
    if not thoughts:
        return None
    text = "".join(kept) + reply[at:]
    text = _ANSWER_TOKEN.sub("", text).lstrip()
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped["said"].strip()
    return Spoken(text, _joined(thoughts))


def _joined(thoughts: list[str]) -> str:
    return "\n\n".join(part for thought in thoughts if (part := thought.strip()))


def _begins(reply: str, tag: _Tag, after: str = "\n.!?\u2026\u3002\uff01\uff1f") -> bool:
    """Whether a line or a sentence begins with the tag."""
    before = reply[max(0, tag.start - 10) : tag.start].rstrip(" \t>*#")
    return before[-1:] in after if before else tag.start < 10


def _is_quoted(reply: str, tag: _Tag) -> bool:
    """Whether the tag stands within quotes on its line, as it does in a program's strings."""
    before = reply[max(0, tag.start - 400) : tag.start].rpartition("\n")[2]
    after = reply[tag.end : tag.end + 400].partition("\n")[0]
    if before and after[:1] == _QUOTES.get(before[-1]):
        return True
    if any(before.count(quote) % 2 and quote in after for quote in '"`'):
        return True
    single = before.rfind("'")  # and no apostrophe
    opens = single >= 0 and not before[single - 1 : single].isalnum()
    return opens and _SINGLE_ENDS.search(after) is not None


def _is_called_a_tag(reply: str, tag: _Tag) -> bool:
    before, after = reply[max(0, tag.start - 16) : tag.start], reply[tag.end : tag.end + 16]
    return bool(_CALLED_BEFORE.search(before) or _CALLED_AFTER.match(after))


def _following_ends(tags: list[_Tag], quoted: set[int]) -> list[int | None]:
    """For each tag the next one that ends its family and is not quoted."""
    found: list[int | None] = [None] * len(tags)
    nearest: dict[str, int] = {}
    for i in range(len(tags) - 1, -1, -1):
        found[i] = nearest.get(tags[i].family)
        if tags[i].ends and i not in quoted:
            nearest[tags[i].family] = i
    return found


def _end_of(
    tags: list[_Tag], begun: int, following: list[int | None], fences: "_Fences"
) -> int | None:
    """The tag that ends a block: the first that no fence holds, else the first."""
    end = first = following[begun]
    for _ in range(_ENDS_TRIED):
        if end is None:
            break
        if not fences.hold(tags[end], tags[begun].end):
            return end
        end = following[end]
    return first


@dataclass(frozen=True)
class _Fences:
    """Where fences of code stand; closes: whether one may end a block of code."""

    starts: list[int]
    closes: list[bool]

    @classmethod
    def of(cls, reply: str) -> "_Fences":
        found = list(_FENCE.finditer(reply))
        return cls([one.start() for one in found], [not one[1].strip() for one in found])

    def hold(self, tag: _Tag, since: int) -> bool:
        """Whether the tag stands in a fence that was opened after `since` and is closed."""
        place = bisect_left(self.starts, tag.start)
        is_open = (place - bisect_left(self.starts, since)) % 2 == 1
        return is_open and place < len(self.starts) and self.closes[place]


def _by_channel(reply: str) -> Spoken | None:
    finals = list(_FINAL.finditer(reply))
    if finals:
        last = finals[-1]
        text = _TURN_ENDS.split(reply[last.end() :], maxsplit=1)[0]
        return Spoken(text.lstrip(), _HEADER.sub("", reply[: last.start()]).strip())
    if _ASIDE.match(reply):
        return Spoken("", _HEADER.sub("", reply).strip(), False)
    return None


def _in_words(reply: str) -> Spoken | None:
    for opening, closing in _IN_WORDS:
        head = reply.lstrip()
        if head.startswith(opening) and (found := closing.search(head)):
            return Spoken(head[found.end() :].lstrip(), head[len(opening) : found.start()].strip())
    return None


def without_turn_tokens(text: str) -> str:
    """A text without the special tokens of the usual model families, which are no text.

    What follows where another speaker's turn begins after the reply is not the reply's. Tokens in
    quotes or in a closed fence are spoken of and stay, as does an <unk> within the text.
    """
    if "<" not in text and "[" not in text:
        return text
    kept, at, has_begun, is_echo = [""], 0, False, False
    for found in _TOKENS.finditer(text):
        if found["kept"]:
            continue
        kept.append(text[at : found.start()])
        at = found.end()
        has_begun = has_begun or bool(kept[-1].strip())
        if found["other"] and not has_begun:  # the prompt stands before the reply
            is_echo = True
        if found["other"] and not is_echo:
            return "".join(kept).rstrip()
        if has_begun and text[at : at + 1].isalnum():
            kept.append("\n")  # words of two turns are not one word
    last = text[at:]
    if at and not last.strip():
        return "".join(kept).rstrip()
    return _without_lost_end("".join(kept) + last)


def _without_lost_end(text: str) -> str:
    lost = _LOST.search(text, max(0, len(text) - 200))
    return text[: lost.start()] if lost else text
