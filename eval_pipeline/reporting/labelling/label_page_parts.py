"""What the labelling page is made of: its frame, its style and its one script."""

FRAME = """
<p id="progress" role="status" aria-live="polite"></p>
<h2>Question</h2><div id="question" class="text"></div>
<div id="replies">
<section><h2>Reply 1</h2><div id="reply1" class="text"></div></section>
<section><h2>Reply 2</h2><div id="reply2" class="text"></div></section>
</div>
<div id="answers" role="group" aria-label="Which reply is better?">
<button data-answer="1">1 &ndash; reply 1 is better</button>
<button data-answer="2">2 &ndash; reply 2 is better</button>
<button data-answer="tie">T &ndash; equally good</button>
<button data-answer="unsure">U &ndash; not sure</button>
</div>
<label for="note">Note</label> <input id="note" maxlength="500" autocomplete="off">
<p><button id="back">Back</button> <button id="next">Next</button>
<button id="save">Save answers as CSV</button></p>
"""

STYLE = """
:root{--ink:#1f2937;--quiet:#4b5563;--line:#d1d5db;--accent:#0072b2}
*{box-sizing:border-box}
body{margin:0;font:17px/1.55 system-ui,sans-serif;color:var(--ink);background:#f3f4f6}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.3rem;margin:.2rem 0}h2{font-size:.95rem;color:var(--quiet);margin:.4rem 0}
#progress{color:var(--quiet)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;border:1px solid var(--line);
border-radius:8px;padding:.8rem 1rem}
#replies{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:.6rem 0 1rem}
#answers{display:flex;flex-wrap:wrap;gap:.6rem;margin:.8rem 0}
button{font:inherit;padding:.5rem .9rem;border:1.5px solid var(--line);border-radius:8px;
background:#fff;color:var(--ink);cursor:pointer}
button[aria-pressed="true"]{background:var(--accent);border-color:var(--accent);color:#fff}
button:focus-visible,input:focus-visible{outline:3px solid #e69f00;outline-offset:1px}
button:disabled{opacity:.45;cursor:default}
input{font:inherit;padding:.4rem .6rem;border:1.5px solid var(--line);border-radius:8px;width:60%}
@media(max-width:44rem){#replies{grid-template-columns:1fr}input{width:100%}}
"""

SCRIPT = r"""
"use strict";
(() => {
  const packed = atob(document.getElementById("data").textContent.trim());
  const sheet = JSON.parse(packed);
  const memory = "labels " + sheet.key;
  const byId = (id) => document.getElementById(id);
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(memory)) || {}; } catch { kept = {}; }
  let at = sheet.rows.findIndex((one) => !kept[one.row] || !kept[one.row].answer);
  if (at < 0) at = 0;
  let storable = true;

  const keep = (change) => {
    const row = sheet.rows[at].row;
    kept[row] = Object.assign({ answer: "", note: "" }, kept[row], change);
    try { localStorage.setItem(memory, JSON.stringify(kept)); } catch { storable = false; }
  };
  const show = () => {
    const one = sheet.rows[at];
    const said = kept[one.row] || { answer: "", note: "" };
    byId("question").textContent = one.question;
    byId("reply1").textContent = one.reply_1;
    byId("reply2").textContent = one.reply_2;
    byId("note").value = said.note;
    for (const button of document.querySelectorAll("[data-answer]")) {
      button.setAttribute("aria-pressed", String(button.dataset.answer === said.answer));
    }
    const done = sheet.rows.filter((row) => kept[row.row] && kept[row.row].answer).length;
    byId("progress").textContent = `Pair ${at + 1} of ${sheet.rows.length}, ${done} answered` +
      (storable ? "" : "; this browser keeps nothing: save before you leave");
    byId("back").disabled = at === 0;
    byId("next").disabled = at === sheet.rows.length - 1;
  };
  const go = (step) => {
    at = Math.min(Math.max(at + step, 0), sheet.rows.length - 1);
    show();
    window.scrollTo(0, 0);
  };
  const answer = (said) => { keep({ answer: said }); go(1); };
  const cell = (text) => {
    const within = text.replace(/([;\t\n][\s"]*)([=+\-@＝＋－＠]?)/g,
      (_, gap, start) => (start ? gap + "'" + start : gap));
    const safe = /^\s*[=+\-@＝＋－＠\t\r\n]/.test(within) ? "'" + within : within;
    return '"' + safe.replaceAll('"', '""') + '"';
  };
  const csv = () => {
    const lines = sheet.rows.map((one) => {
      const said = kept[one.row] || { answer: "", note: "" };
      return [one.row, sheet.rater, said.answer, said.note].map(cell).join(",");
    });
    return [sheet.columns.join(","), ...lines].join("\r\n") + "\r\n";
  };
  for (const button of document.querySelectorAll("[data-answer]")) {
    button.addEventListener("click", () => answer(button.dataset.answer));
  }
  byId("note").addEventListener("input", () => keep({ note: byId("note").value }));
  byId("back").addEventListener("click", () => go(-1));
  byId("next").addEventListener("click", () => go(1));
  byId("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv;charset=utf-8" }));
    link.download = `answers-${sheet.rater}.csv`;
    link.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === byId("note") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const said = { 1: "1", 2: "2", t: "tie", u: "unsure" }[key];
    if (said) answer(said);
    else if (key === "arrowleft") go(-1);
    else if (key === "arrowright") go(1);
  });
  show();
})();
"""
