// One tag puts the chat into any page:
//   <script src="https://saegim.example/widget.js" data-token-url="/saegim-token" defer></script>
// The host's own backend answers the token's address with {"token": "sgt_…"}.
(() => {
  const tag = document.currentScript;
  const base = new URL("__BASE__", tag.src).href;
  const settings = { ...tag.dataset, site: new URL(tag.src).origin };
  import(`${base}widget-view.js`).then((widget) => widget.start(settings));
})();
