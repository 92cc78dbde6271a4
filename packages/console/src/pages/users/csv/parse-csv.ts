/** One line of a CSV file. `line` is where it begins in the file, counted from 1. */
type CsvRow = { readonly line: number; readonly cells: readonly string[] }

const SEPARATORS = [',', ';', '\t'] as const

/**
 * Parses CSV as RFC 4180 has it, and as spreadsheets write it: with a comma, a semicolon or a tab, with or without a byte order mark, and with
 * any line ends. Empty lines are left out. Throws a SyntaxError if a quoted cell does not end.
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = separatorOf(source)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let line = 1
  let begins = 1
  let at = 0
  const endRow = () => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: begins, cells })
    cells = []
    begins = line
  }
  while (at < source.length) {
    const cell = source[at] === '"' ? quoted(source, at, separator) : plain(source, at, separator)
    cells.push(cell.text)
    line += cell.lines
    at = cell.end
    if (source[at] === separator) {
      at++
      // The file ends with an empty cell.
      if (at === source.length) cells.push('')
      continue
    }
    if (source[at] === '\r' && source[at + 1] === '\n') at++
    at++
    line++
    endRow()
  }
  endRow()
  return rows
}

type Cell = { readonly text: string; readonly end: number; readonly lines: number }

function plain(source: string, start: number, separator: string): Cell {
  let end = start
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r') end++
  return { text: source.slice(start, end), end, lines: 0 }
}

/** A cell in quotes, in which two quotes are one. What follows the second quote up to the separator belongs to the cell, too. */
function quoted(source: string, start: number, separator: string): Cell {
  let text = ''
  let at = start + 1
  for (;;) {
    const quote = source.indexOf('"', at)
    if (quote === -1) throw new SyntaxError(`the quoted value in line ${1 + countLines(source.slice(0, start))} does not end`)
    text += source.slice(at, quote)
    if (source[quote + 1] !== '"') {
      const rest = plain(source, quote + 1, separator)
      return { text: text + rest.text, end: rest.end, lines: countLines(text) }
    }
    text += '"'
    at = quote + 2
  }
}

function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}

/** The separator that is most frequent in the first line, outside of quotes. */
function separatorOf(source: string): string {
  const first = (/^[^\r\n]*/.exec(source)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const count = (separator: string) => first.split(separator).length
  return SEPARATORS.reduce<string>((best, each) => (count(each) > count(best) ? each : best), ',')
}
