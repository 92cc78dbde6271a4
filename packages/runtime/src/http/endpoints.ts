import type { EndpointShape } from '@onward/contract'
import { correctName } from '../nearest.ts'

/** The endpoints of an app, by method and path. */
export type Endpoints = {
  /** Returns the path of the endpoint as the contract writes it, such as `/apps/:app_name/get`; `unmatched` for any other path. */
  nameOf(method: string, path: string): string
  /** Returns the methods of a path, in upper case; none for an unknown path. */
  methodsOf(path: string): string[]
  /** Returns the endpoints that may be meant by an unknown path, as `POST /functions/list`. */
  meantBy(path: string): string[]
}

/** `others` are paths that are not in the contract, such as `/metrics`. A `*` at the end of one matches any text. */
export function makeEndpoints(endpoints: readonly EndpointShape[], others: readonly string[] = []): Endpoints {
  const known = [
    ...endpoints.map(({ method, path }) => ({ method: method.toUpperCase(), path, pattern: patternOf(path) })),
    ...others.map((path) => ({ method: 'GET', path, pattern: patternOf(path) })),
  ]
  return {
    nameOf(method, path) {
      const found =
        known.find((each) => each.method === method && each.pattern.test(path)) ?? known.find(({ pattern }) => pattern.test(path))
      return found?.path ?? 'unmatched'
    },
    methodsOf: (path) => [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))],
    meantBy: (path) => meantBy(endpoints, path),
  }
}

/** A longer path is not compared, because that takes long. */
const MAX_PATH = 200

/**
 * Compares a path with the endpoints, with the parameters of the path in their place. Clients also add a version before a path, or leave out its
 * last word.
 */
function meantBy(endpoints: readonly EndpointShape[], path: string): string[] {
  const sent = path.replace(/\/$/, '')
  if (sent.length > MAX_PATH) return []
  for (const tried of [sent, sent.replace(/^\/[^/]*/, '')]) {
    const parts = tried.split('/')
    const filled = endpoints.map((each) => ({
      method: each.method.toUpperCase(),
      path: each.path
        .split('/')
        .map((part, at) => (part.startsWith(':') ? (parts[at] ?? part) : part))
        .join('/'),
    }))
    const near = correctName(
      tried,
      filled.map((each) => each.path),
    )
    const found = filled.filter(
      (each) => each.path === near || (/^\/[a-z-]+$/.test(each.path.slice(tried.length)) && each.path.startsWith(`${tried}/`)),
    )
    if (tried !== '' && found.length > 0) return found.slice(0, 3).map((each) => `${each.method} ${each.path}`)
  }
  return []
}

/**
 * Returns the endpoints of an app and of another app, whose paths begin with `prefix`. The other app's endpoint names do not have the
 * prefix.
 */
export function withPrefixed(own: Endpoints, prefix: string, other: Endpoints): Endpoints {
  const isOther = (path: string) => path.startsWith(prefix)
  return {
    nameOf: (method, path) => (isOther(path) ? other.nameOf(method, path.slice(prefix.length)) : own.nameOf(method, path)),
    methodsOf: (path) => (isOther(path) ? other.methodsOf(path.slice(prefix.length)) : own.methodsOf(path)),
    meantBy: (path) => (isOther(path) ? [] : own.meantBy(path)),
  }
}

/** Matches a path as Express does: without regard to case, and with or without a final slash. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\/\*$/, '/.*').replace(/:\w+/g, '[^/]+')}/?$`, 'i')
}
