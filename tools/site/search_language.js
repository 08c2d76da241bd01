// Keep the pages in the language of this one, and English pages that are not translated.
(() => {
  const language = document.documentElement.lang.slice(0, 2);
  const translated = /^(es|pt)\//;
  const prefix = language === "en" ? "" : `${language}/`;
  const own = __index.docs.filter(({ location }) =>
    prefix ? location.startsWith(prefix) : !translated.test(location));
  const pageOf = (location) => location.split("#")[0];
  const pages = new Set(own.map(({ location }) => pageOf(location)));
  __index.docs = own.concat(prefix ? __index.docs.filter(({ location }) =>
    !translated.test(location) && !pages.has(prefix + pageOf(location))) : []);
})();
