// What scripts add to the page for tuning: sliders beside the numbers, and what is open stays open.
"use strict";

(() => {
  document.addEventListener("DOMContentLoaded", () => {
    for (const slider of document.querySelectorAll("input[type=range][data-of]")) {
      const number = document.getElementById(slider.dataset.of);
      slider.hidden = false;
      slider.addEventListener("input", () => { number.value = slider.value; });
      number.addEventListener("input", () => { if (number.value !== "") slider.value = number.value; });
    }
    for (const form of document.querySelectorAll("form[hx-trigger]"))
      form.addEventListener("submit", (event) => event.preventDefault());
  });

  let open = new Set();
  document.addEventListener("htmx:beforeSwap", () => {
    open = new Set([...document.querySelectorAll("#results details[open]")].map((details) => details.id));
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const details of document.querySelectorAll("#results details"))
      if (open.has(details.id)) details.open = true;
  });
})();
