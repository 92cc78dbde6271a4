import type { CallParts } from '../call/parts.ts'
import type { Context } from '../context.ts'

/** The parts of the service that the MCP server uses. */
export type McpParts = CallParts & Pick<Context, 'applications' | 'prediction' | 'rateLimits'>
