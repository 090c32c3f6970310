/** Measures texts of charts, so that labels get the room they need. */

let context: CanvasRenderingContext2D | null | undefined;

// A font that arrives later may be a little wider.
const slack = 1.1;

/** The widest of some texts in pixels. */
export const widestOf = (texts: readonly string[], font: string): number => {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = font;
  const measured = context;
  return Math.ceil(slack * Math.max(0, ...texts.map((text) => measured.measureText(text).width)));
};
