const INLINED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'text-anchor',
  'opacity',
] as const;

/** A copy of the drawing that stands alone: colours come from the theme's variables, which a file does not have. */
function standalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const name of INLINED) copies[i]?.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return copy;
}

const loadImage = (url: string): Promise<HTMLImageElement> =>
  new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('The drawing could not be turned into a picture.'));
    image.src = url;
  });

export interface Caption {
  title: string;
  lines: readonly string[];
  legend: readonly { label: string; color: string; dashed: boolean }[];
}

/** The drawing as a PNG at twice its size, with title, legend and caption, on the theme's panel colour. */
export async function pngOf(svg: SVGSVGElement, caption: Caption): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const text = new XMLSerializer().serializeToString(standalone(svg));
  const image = await loadImage(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`);
  const top = 30 + (caption.legend.length > 0 ? 20 : 0);
  const bottom = 10 + caption.lines.length * 16;
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = (height + top + bottom) * 2;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser has no canvas to draw on.');
  const root = getComputedStyle(svg);
  const color = (name: string) => root.getPropertyValue(name).trim();
  pen.scale(2, 2);
  pen.fillStyle = color('--panel');
  pen.fillRect(0, 0, width, height + top + bottom);
  pen.fillStyle = color('--ink');
  pen.font = `500 13px ${root.fontFamily}`;
  pen.fillText(caption.title, 10, 20);
  drawLegend(pen, caption.legend, color);
  pen.drawImage(image, 0, top, width, height);
  pen.fillStyle = color('--dim');
  pen.font = `11px ${root.fontFamily}`;
  caption.lines.forEach((line, i) => {
    pen.fillText(line, 10, top + height + 14 + i * 16);
  });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture.'))), 'image/png'),
  );
}

function drawLegend(pen: CanvasRenderingContext2D, legend: Caption['legend'], color: (name: string) => string): void {
  let x = 10;
  pen.font = pen.font.replace(/^500 13px/, '11px');
  for (const entry of legend) {
    pen.strokeStyle = color(entry.color.replace(/^var\((.*)\)$/, '$1'));
    pen.setLineDash(entry.dashed ? [5, 4] : []);
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, 36);
    pen.lineTo(x + 16, 36);
    pen.stroke();
    pen.fillStyle = color('--ink');
    pen.fillText(entry.label, x + 20, 40);
    x += 32 + pen.measureText(entry.label).width;
  }
  pen.setLineDash([]);
}
