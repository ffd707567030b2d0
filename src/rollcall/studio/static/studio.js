// What scripts add to the studio: keys, a timer that pauses, drafts that are kept, a theme. Every page works without.
"use strict";

(() => {
  const root = document.documentElement;
  const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window */ } };
  if (stored("theme")) root.dataset.theme = stored("theme");
  if (stored("keys") === "off") root.dataset.keys = "off";

  document.addEventListener("DOMContentLoaded", () => {
    themes();
    confirmations();
    helpPanel();
    const form = document.getElementById("judgment");
    if (form) work(form);
  });

  function themes() {
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
        store("theme", root.dataset.theme);
      });
    }
    for (const box of document.querySelectorAll("[data-keys-switch]")) {
      box.closest("label").hidden = false;
      box.checked = root.dataset.keys !== "off";
      box.addEventListener("change", () => {
        if (box.checked) delete root.dataset.keys; else root.dataset.keys = "off";
        store("keys", box.checked ? "on" : "off");
      });
    }
  }

  function confirmations() {
    for (const form of document.querySelectorAll("form[data-confirm]"))
      form.addEventListener("submit", (event) => { if (!confirm(form.dataset.confirm)) event.preventDefault(); });
  }

  function helpPanel() {
    const panel = document.querySelector("details.help");
    if (!panel) return;
    const name = "help:" + panel.dataset.task;
    if (stored(name)) panel.open = stored(name) === "open";
    panel.addEventListener("toggle", () => store(name, panel.open ? "open" : "shut"));
  }

  function work(form) {
    const timing = timer(form);
    drafts(form, timing);
    keys(form, timing);
    let sent = false;
    form.addEventListener("submit", (event) => {
      if (sent) { event.preventDefault(); return; }  // a second click sends nothing
      sent = true;
      timing.write();
    });
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
    const wrong = form.querySelector("[data-focus]");
    if (wrong) wrong.focus();
  }

  // The timer counts while the page is seen and something happened in the last minute.
  function timer(form) {
    const IDLE = 60;
    const shown = document.querySelector(".timer");
    const field = form.elements.seconds;
    const limit = 60 * Number(form.dataset.minutes || 0);
    let spent = Number(form.dataset.seconds || 0), last = performance.now(), active = last, paused = false;
    const stopped = () => paused || document.hidden || performance.now() - active > IDLE * 1000;
    const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    function step() {
      const now = performance.now();
      if (!stopped()) spent += (now - last) / 1000;
      last = now;
      if (shown) {
        const left = limit - spent;
        shown.textContent = limit ? (left > 0 ? `${clock(left)} left` : "time is over") : clock(spent);
        shown.dataset.state = paused ? "paused" : limit && left <= 0 ? "over" : "running";
      }
    }
    for (const kind of ["pointermove", "pointerdown", "keydown", "scroll", "touchstart"])
      addEventListener(kind, () => { step(); active = performance.now(); }, { passive: true });
    document.addEventListener("visibilitychange", () => { step(); active = performance.now(); });
    const button = document.querySelector("[data-pause]");
    function pause() {
      step();
      paused = !paused;
      if (button) { button.textContent = paused ? "Go on" : "Pause"; button.setAttribute("aria-pressed", String(paused)); }
      step();
    }
    if (button) { button.hidden = false; button.addEventListener("click", pause); }
    setInterval(step, 1000);
    step();
    return { pause, spent() { step(); return spent; }, write() { step(); field.value = spent.toFixed(1); } };
  }

  // What is typed is sent as a draft a moment later, and at once when the page is left. Until the server has
  // it, the tab keeps it, so that a server that is gone for a while costs nothing. A page that is worked on
  // says so every minute, since the server counts no more time than it heard of.
  function drafts(form, timing) {
    if (!form.dataset.draft) return;
    const status = document.querySelector("[data-draft-state]");
    const kept = unsent(form);
    let waiting = 0, changed = false, sending = false, judged = false, heard = timing.spent();
    const worked = (seconds) => !judged && timing.spent() - heard >= seconds;
    const body = () => { timing.write(); heard = timing.spent(); return new URLSearchParams(new FormData(form)); };
    const later = (milliseconds) => { clearTimeout(waiting); waiting = setTimeout(save, milliseconds); };
    async function save() {
      if (!changed || sending) return;
      changed = false;
      sending = true;
      try {
        const reply = await fetch(form.dataset.draft, { method: "POST", body: body() });
        const signedOut = reply.redirected;  // to the page for signing in, which answers well
        if (reply.ok && !signedOut && !changed) kept.forget();
        if (reply.status >= 500) changed = true;  // the database is away for a while: sent again below
        if (status) status.textContent = signedOut ? "Draft not saved: please sign in again" : reply.ok ? "Draft saved" : "Draft not saved";
      } catch {
        changed = true;
        if (status) status.textContent = "Draft not saved: no connection";
      }
      sending = false;
      if (changed) later(3000);
    }
    const note = () => { changed = true; kept.keep(); later(700); };
    if (kept.bringBack()) note();
    form.addEventListener("input", note);
    form.addEventListener("change", note);
    const leave = () => { if ((changed || worked(1)) && navigator.sendBeacon) { changed = false; navigator.sendBeacon(form.dataset.draft, body()); } };
    setInterval(() => { if (worked(20)) { changed = true; save(); } }, 60000);
    document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); });
    addEventListener("pagehide", leave);
    form.addEventListener("submit", () => { changed = false; judged = true; clearTimeout(waiting); });
  }

  // Texts that the server may not have yet, kept in this tab for the one form that they are about.
  function unsent(form) {
    const NAME = "unsent", key = form.elements.form_key.value;
    const fields = () => [...form.querySelectorAll("textarea[name], input[type=text][name], input[type=search][name]")];
    const read = () => { try { return JSON.parse(sessionStorage.getItem(NAME)); } catch { return null; } };
    const write = (value) => { try { sessionStorage.setItem(NAME, JSON.stringify(value)); } catch { /* private window */ } };
    return {
      keep() { write({ key, texts: fields().map((field) => [field.name, field.value]) }); },
      forget() { write(null); },
      bringBack() {
        const saved = read();
        if (!saved || saved.key !== key) { write(null); return false; }
        let differs = false;
        fields().forEach((field, index) => {
          const [name, value] = saved.texts[index] || [];
          if (name === field.name && value !== field.value) { field.value = value; differs = true; }
        });
        const comment = form.querySelector("details.comment");
        if (comment && comment.querySelector("textarea").value) comment.open = true;
        return differs;
      },
    };
  }

  function keys(form, timing) {
    const pressed = (event) => [event.ctrlKey || event.metaKey ? "Ctrl+" : "", event.altKey ? "Alt+" : "", event.key].join("");
    const typing = (node) => node.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");
    const click = (selector) => { const node = document.querySelector(selector); if (node && !node.disabled) { node.click(); return true; } return false; };
    const own = {
      u: () => click("[data-key=u]"),
      s: () => click("[data-key=s]"),
      p: () => { timing.pause(); return true; },
      c: () => { const box = document.querySelector("details.comment"); if (!box) return false; box.open = true; box.querySelector("textarea").focus(); return true; },
      "?": () => { const box = document.querySelector("details.help"); if (!box) return false; box.open = !box.open; if (box.open) box.querySelector("summary").focus(); return true; },
      "/": () => { const box = document.querySelector("[data-key='/']"); if (!box) return false; box.focus(); box.select(); return true; },
    };
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.repeat) return;
      const name = pressed(event), node = event.target;
      if (name === "Escape" && typing(node)) { node.blur(); return; }
      if (node.dataset.enter && name === "Enter") { if (click(node.dataset.enter)) event.preventDefault(); return; }
      const choice = [...form.querySelectorAll("[data-shortcut]")].find((button) => button.dataset.shortcut === name);
      if (!choice && name === "Enter" && node.matches("input[type=radio], input[type=checkbox]")) { event.preventDefault(); return; }
      const chord = name.includes("+");
      if (!chord && (typing(node) || root.dataset.keys === "off")) return;
      if (name === "Enter" && node.matches("button, a, summary")) return;
      if (choice && !choice.disabled) { event.preventDefault(); form.requestSubmit(choice); return; }
      if (!chord && /^[1-9]$/.test(name) && rate(form, name)) { event.preventDefault(); return; }
      if (!chord && own[name] && own[name]()) event.preventDefault();
    });
  }

  // A digit answers the first scale that has no answer, or the one that has the focus.
  function rate(form, digit) {
    const scales = [...form.querySelectorAll("fieldset.scale")];
    const scale = scales.find((fieldset) => fieldset.contains(document.activeElement) && !fieldset.querySelector("input:checked"))
      || scales.find((fieldset) => !fieldset.querySelector("input:checked")) || scales.find((fieldset) => fieldset.contains(document.activeElement));
    const box = scale && scale.querySelector(`input[value="${digit}"]`);
    if (!box) return false;
    box.checked = true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
    const next = scales[scales.indexOf(scale) + 1];
    if (next && !next.querySelector("input:checked")) next.querySelector("input").focus();
    else { const done = form.querySelector("[data-shortcut]"); if (done) done.focus(); }
    return true;
  }
})();
