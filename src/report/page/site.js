// Adds what all pages of a site have around what is their own. Without scripts it has no use.
{
  const { frame: [bar, page] } = globalThis.pdnSite;
  const policy = globalThis.trustedTypes?.createPolicy("pdn", { createHTML: (html) => html });
  const trusted = (html) => policy?.createHTML(html) ?? html;
  document.body.insertAdjacentHTML("afterbegin", trusted(bar));
  document.getElementById("plain").insertAdjacentHTML("afterend", trusted(page));
}
