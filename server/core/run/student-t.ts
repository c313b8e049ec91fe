/** Student's t distribution without tables: density and tails by the incomplete beta function. */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0 (Lanczos, g = 7, n = 9). */
function logGamma(x: number): number {
  const y = x - 1;
  let sum = 0.9999999999998099;
  LANCZOS.forEach((c, i) => {
    sum += c / (y + i + 1);
  });
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Continued fraction of the incomplete beta function (modified Lentz; DLMF 8.17.22). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (v: number): number => (Math.abs(v) < tiny ? tiny : v);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return h;
}

/** Regularized incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** P(|T| ≥ |t|) with df degrees of freedom. */
export function twoSidedP(t: number, df: number): number {
  return Number.isFinite(t) ? incompleteBeta(df / (df + t * t), df / 2, 0.5) : 0;
}

function solveQuantile(alpha: number, df: number): number {
  let low = Math.log(1e-6);
  let high = Math.log(1e9);
  for (let i = 0; i < 200 && high - low > 1e-13; i++) {
    const middle = (low + high) / 2;
    if (twoSidedP(Math.exp(middle), df) > alpha) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

const solved = new Map<string, number>();

/** t with P(|T| ≥ t) = alpha, by bisection on the logarithm of t; asked again, it is remembered. */
export function twoSidedQuantile(alpha: number, df: number): number {
  const key = `${alpha} ${df}`;
  const known = solved.get(key) ?? solveQuantile(alpha, df);
  solved.set(key, known);
  return known;
}
