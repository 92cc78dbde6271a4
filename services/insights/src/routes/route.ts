import { type RouteOf, routesOf } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'

/** Ties an endpoint of the partner API to what answers it. */
export const route: RouteOf<Context, Caller> = routesOf()
