import type { EndpointShape } from '../endpoint.ts'

/** The endpoints among what some modules export, by name. */
export function endpointsOf(...modules: readonly object[]): Readonly<Record<string, EndpointShape>> {
  return Object.fromEntries(modules.flatMap((module) => Object.entries(module)).filter((entry) => isEndpoint(entry[1])))
}

function isEndpoint(value: unknown): value is EndpointShape {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
