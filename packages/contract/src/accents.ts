/** Red, green and blue, from 0 to 255. */
type Color = readonly [number, number, number]

/** The variants of one colour on the surfaces of one theme, as `#rrggbb`. */
type Accent = { readonly accent: string; readonly strong: string; readonly soft: string; readonly on: string }

/** The backgrounds that text in the accent colour stands on, with the least contrast first. As in `ui/tokens.css`. */
const LIGHT = { behind: [246, 247, 249], surface: [255, 255, 255], away: [0, 0, 0] } as const
const DARK = { behind: [27, 33, 43], surface: [20, 24, 32], away: [255, 255, 255] } as const
const WHITE: Color = [255, 255, 255]
const INK: Color = [12, 16, 36]

/** The contrast that text needs (WCAG 2.2, AA). */
const CONTRAST = 4.5
const STEP = 0.04

/** Returns the variants of a colour, given as six hexadecimal digits, that can be read in each theme. */
export function accentsOf(hex: string): { readonly light: Accent; readonly dark: Accent } {
  const color = parse(hex)
  return { light: accentOn(color, LIGHT, 0.1), dark: accentOn(color, DARK, 0.2) }
}

/** Returns the ratio of two colours' luminance, from 1 to 21, as WCAG defines it. */
export function contrastOf(first: string, second: string): number {
  return ratio(parse(first.replace('#', '')), parse(second.replace('#', '')))
}

function accentOn(color: Color, { behind, surface, away }: { behind: Color; surface: Color; away: Color }, share: number): Accent {
  let accent = color
  for (let part = STEP; ratio(accent, behind) < CONTRAST && part < 1; part += STEP) accent = mix(color, away, part)
  const on = ratio(accent, WHITE) >= ratio(accent, INK) ? WHITE : INK
  // Away from the text on it, so that the text stays readable.
  const strong = mix(accent, on === WHITE ? [0, 0, 0] : WHITE, 0.16)
  return { accent: format(accent), strong: format(strong), soft: format(mix(surface, accent, share)), on: format(on) }
}

function mix(from: Color, to: Color, part: number): Color {
  const channel = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * part)
  return [channel(0), channel(1), channel(2)]
}

function ratio(first: Color, second: Color): number {
  const [a, b] = [luminance(first), luminance(second)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance([red, green, blue]: Color): number {
  const linear = (channel: number) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function parse(hex: string): Color {
  const value = Number.parseInt(hex, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function format(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
