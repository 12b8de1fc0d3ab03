// Signs on buttons.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  first: "M5 5h2.6v14H5zM19.5 5v14L9 12z",
  previous: "M17 5v14L6.5 12z",
  next: "M7 5v14l10.5-7z",
  last: "M16.4 5H19v14h-2.6zM4.5 5v14L15 12z",
  autoplay: "M4 5v14l8-7zM14 5h2.6v14H14zM18.4 5H21v14h-2.6z",
  coordinates: "M3.5 3.5h17v17h-17zM5.5 5.5V12H12V5.5zM12 12v6.5h6.5V12z",
  flip: "M8 3l4 5H9.3v11H6.7V8H4zM16 21l-4-5h2.7V5h2.6v11H20z",
  arrows: "M5 17.2l9.6-9.6H8V5h11v11h-2.6V9.4L6.8 19z",
  promote: "M12 4l7 8h-4.5v8h-5v-8H5z",
  deleteFrom: "M6.3 4.5L12 10.2l5.7-5.7 1.8 1.8L13.8 12l5.7 5.7-1.8 1.8L12 13.8l-5.7 5.7-1.8-1.8L10.2 12 4.5 6.3z",
  record: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
  tags: "M3 4h8.5L21 13.5 13.5 21 3 11.5zM7.5 6.5a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z",
  back: "M10.5 5l1.8 1.8L8.4 10.7H20v2.6H8.4l3.9 3.9-1.8 1.8L3.5 12z",
  engine: "M12 3a6.5 6.5 0 0 0-3.6 11.9V17h7.2v-2.1A6.5 6.5 0 0 0 12 3zM8.8 18.4h6.4V20H8.8zM10 21.2h4V22.6h-4z",
  sound: "M3 9.2h3.6L12 4.5v15l-5.4-4.7H3zM14.4 8.2a5 5 0 0 1 0 7.6l-1.1-1.4a3.2 3.2 0 0 0 0-4.8zM16.9 5.4a8.7 8.7 0 0 1 0 13.2l-1.2-1.4a6.9 6.9 0 0 0 0-10.4z",
  list: "M3 6h18v2H3zM3 11h18v2H3zM3 16h18v2H3z",
};

/** Makes a sign.
 * @param {string} name */
export const icon = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name], "fill-rule": "evenodd" }));
