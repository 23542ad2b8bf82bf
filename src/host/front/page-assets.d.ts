/** The page as three texts, bundled in by the build (`.config/page-assets.mjs`). */
declare module 'virtual:page-assets' {
  export const html: string;
  export const css: string;
  export const js: string;
}
