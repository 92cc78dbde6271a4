import type { FunctionItem } from '@onward/contract'

/** Tells a function from the other items of the endpoints, which are returned for `format` only. */
export function isFunction<T extends object>(item: T): item is T & FunctionItem {
  return 'app' in item && 'parameters' in item
}
