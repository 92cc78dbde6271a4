/** A small imitation of an app. Its requests, responses and pages follow the app file; this says what its functions do. */
export type Imitation<Store = unknown> = {
  /** Returns the objects that a new account starts with. */
  seed(now: Date): Store
  /** Fields of every successful response. */
  readonly around?: object
  /** Writes an error as the app does. */
  problem(problem: AppProblem): Required<Pick<ImitatedResponse, 'status' | 'body'>>
  /** By the names of the app file. */
  readonly functions: Readonly<Record<string, Imitated<Store>>>
}

/** A call of an imitated function. */
export type Call<Store, Args = Readonly<Record<string, unknown>>> = {
  /** The objects of the account, which the function may change. They contain JSON only. */
  readonly store: Store
  /** The arguments that the request contains, by the parameters of the function in the app file. */
  readonly args: Args
  /** The parsed JSON or form, or else the text of the body. */
  readonly body: unknown
  readonly now: Date
}

/** The status is 200 unless given. `list` is put into `body` page by page, as the app file says. */
export type ImitatedResponse = { readonly status?: number; readonly body?: object; readonly list?: readonly unknown[] }

/** Throws an AppProblem. The type of a method lets each function name the arguments that it reads. */
type Imitated<Store> = { imitated(call: Call<Store, object>): ImitatedResponse }['imitated']

/** An error of an imitated app. `code` is the app's own word for it, such as `channel_not_found`. */
export class AppProblem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Returns the first item that has these values, or undefined. */
export function findBy<T extends object>(items: readonly T[], wanted: Partial<T>): T | undefined {
  return items.find((item) => Object.entries(wanted).every(([key, value]) => item[key as keyof T] === value))
}

/** Returns a value that exists. Throws the problem for undefined. */
export function need<T>(value: T | undefined, problem: AppProblem): T {
  if (value === undefined) throw problem
  return value
}

/** Returns the fields that have a value. */
export function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Returns whether a text contains another one, in any case. */
export function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

type Term = { readonly key: string; readonly value: string; readonly not: boolean }

/** Splits a search into words, quoted phrases and qualifiers such as `from:ada` or `-label:"to do"`. A word has the key `''`. */
export function searchTerms(query: string): Term[] {
  const terms = query.matchAll(/(-?)(?:([a-z_]+):)?(?:"([^"]*)"|([^\s"]+))/g)
  return [...terms].map(([, minus, key = '', quoted, plain]) => ({ key, value: quoted ?? plain ?? '', not: minus === '-' }))
}

/** Returns the time some days ago, or ahead if `days` is negative. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}

/** Returns whole seconds since 1970. */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
