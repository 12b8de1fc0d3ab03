// The style of boards and moves, which the viewer shares with the application.

/** @type {Promise<string>} */
export const partsStyle = fetch(new URL("../app/parts/parts.css", import.meta.url)).then((response) => response.text());
