module.exports = function (config) {
  config.addGlobalData("layout", "page.njk");
  return { pathPrefix: "/eleventy/", dir: { input: "src", output: "_site" } };
};
