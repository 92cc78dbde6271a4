import { WORDS } from '../words.ts'
import { parseCsv } from './parse-csv.ts'

/** A limit to set, as `setUserLimits` takes it. */
export type NewLimit = { readonly user_id: string; readonly allowed_tasks: number }

/** What is wrong with a line of the file. */
type LineProblem = { readonly line: number; readonly text: string; readonly problem: string }

export type ReadLimits = {
  readonly limits: readonly NewLimit[]
  /** The line of each limit. */
  readonly lines: readonly number[]
  readonly problems: readonly LineProblem[]
}

/** The most lines of one file. */
const MAX_LINES = 200_000

/** Same limit as in insights. */
const MAX_USER_ID_BYTES = 1024

const HEADS = /^(user_?id|user|users|id)$/i

/**
 * Reads a file with a user id and a limit in each line. A first line with the names of the columns is optional; with it, the columns can
 * have any order, and others are ignored. Lines with a problem are left out.
 */
export function readLimits(text: string): ReadLimits {
  const rows = readRows(text)
  if ('problem' in rows) return { limits: [], lines: [], problems: [{ line: 1, text: '', problem: rows.problem }] }
  const [first] = rows.cells
  const heads = first?.cells.map((cell) => cell.trim()) ?? []
  const userAt = heads.findIndex((head) => HEADS.test(head))
  const limitAt = heads.findIndex((head) => /^(allowed_tasks|tasks_limit|current_limit|limit|tasks)$/i.test(head))
  const named = userAt !== -1 && limitAt !== -1
  const [user, limit] = named ? [userAt, limitAt] : [0, 1]
  const limits: NewLimit[] = []
  const lines: number[] = []
  const problems: LineProblem[] = []
  const lineOf = new Map<string, number>()
  for (const { line, cells } of named ? rows.cells.slice(1) : rows.cells) {
    const userId = cells[user]?.trim() ?? ''
    const tasks = cells[limit]?.trim() ?? ''
    const problem = cells.length < 2 ? WORDS.csv.twoColumns : (userProblem(userId, lineOf.get(userId)) ?? limitProblem(tasks))
    if (problem === undefined) {
      lineOf.set(userId, line)
      limits.push({ user_id: userId, allowed_tasks: Number(tasks) })
      lines.push(line)
    } else problems.push({ line, text: cells.join(', ').slice(0, 200), problem })
  }
  return { limits, lines, problems }
}

function readRows(text: string): { cells: ReturnType<typeof parseCsv> } | { problem: string } {
  try {
    const cells = parseCsv(text)
    if (cells.length > MAX_LINES) return { problem: WORDS.csv.tooLong(MAX_LINES) }
    return cells.length === 0 ? { problem: WORDS.csv.emptyFile } : { cells }
  } catch (err) {
    return { problem: (err as SyntaxError).message }
  }
}

function userProblem(userId: string, sameInLine: number | undefined): string | undefined {
  if (userId === '') return WORDS.csv.noUser
  if (userId === '.' || userId === '..') return WORDS.csv.dotUser
  if (userId.includes('\uFFFD')) return WORDS.csv.badEncoding
  // Insights refuses them.
  if (/[\0\p{Surrogate}]/u.test(userId)) return WORDS.csv.badCharacters
  if (new TextEncoder().encode(userId).length > MAX_USER_ID_BYTES) return WORDS.csv.longUser(MAX_USER_ID_BYTES)
  return sameInLine === undefined ? undefined : WORDS.csv.sameUser(sameInLine)
}

function limitProblem(tasks: string): string | undefined {
  if (tasks === '') return WORDS.csv.noLimit
  if (!/^\d+$/.test(tasks)) return WORDS.csv.notWhole
  return Number(tasks) > Number.MAX_SAFE_INTEGER ? WORDS.csv.tooLarge : undefined
}

/** Divides limits into requests of at most `most` users and about `bytes` bytes. */
export function chunksOf(limits: readonly NewLimit[], most: number, bytes = 900_000): NewLimit[][] {
  const chunks: NewLimit[][] = []
  let size = 0
  for (const limit of limits) {
    const added = limit.user_id.length * 3 + 50
    const last = chunks.at(-1)
    if (last === undefined || last.length >= most || size + added > bytes) {
      chunks.push([limit])
      size = added
    } else {
      last.push(limit)
      size += added
    }
  }
  return chunks
}
