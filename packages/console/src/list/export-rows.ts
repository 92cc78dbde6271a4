import type { ExportedColumn } from '../ui/table.tsx'
import type { Page } from './cursor-list.ts'

/** The most rows of one file. */
export const EXPORT_CEILING = 100_000

export type ExportFormat = 'csv' | 'jsonl'

type ExportOptions<Row> = {
  readonly columns: readonly Pick<ExportedColumn<Row>, 'id' | 'head' | 'text'>[]
  readonly format: ExportFormat
  readonly ceiling?: number
  readonly signal: AbortSignal
  load(cursor: string | null, signal: AbortSignal): Promise<Page<Row>>
  onProgress(rows: number): void
}

/** The parts of a file, and whether rows were left out because of the ceiling. */
type Exported = { readonly parts: readonly string[]; readonly rows: number; readonly cut: boolean }

/** Reads a list to its end, page by page, and returns it as CSV or as lines of JSON. Throws if a page fails or the signal is aborted. */
export async function exportRows<Row>(options: ExportOptions<Row>): Promise<Exported> {
  const { columns, format, ceiling = EXPORT_CEILING, signal, load, onProgress } = options
  const parts = format === 'csv' ? [csvLine(columns.map(({ id }) => id))] : []
  let rows = 0
  let cursor: string | null = null
  do {
    signal.throwIfAborted()
    const page: Page<Row> = await load(cursor, signal)
    const taken = page.rows.slice(0, ceiling - rows)
    parts.push(taken.map((row) => lineOf(columns, row, format)).join(''))
    rows += taken.length
    onProgress(rows)
    if (rows === ceiling && (taken.length < page.rows.length || page.next !== null)) return { parts, rows, cut: true }
    cursor = page.next
  } while (cursor !== null)
  return { parts, rows, cut: false }
}

function lineOf<Row>(columns: ExportOptions<Row>['columns'], row: Row, format: ExportFormat): string {
  if (format === 'csv') return csvLine(columns.map((column) => column.text(row)))
  return `${JSON.stringify(Object.fromEntries(columns.map((column) => [column.id, column.text(row)])))}\n`
}

/**
 * Returns a line of CSV as RFC 4180 has it. A text that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP advises;
 * numbers do not.
 */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}

function csvValue(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The name of an exported file: `calls-2026-11-23.csv`. */
export function exportName(list: string, format: ExportFormat, now: Date): string {
  return `${list}-${now.toISOString().slice(0, 10)}.${format}`
}
