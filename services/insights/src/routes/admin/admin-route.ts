import { type RouteOf, routesOf } from '@onward/runtime'
import type { Context } from '../../context.ts'

/** Ties an endpoint of the internal admin API to what answers it; the bearer of the token has no name. */
export const adminRoute: RouteOf<Context, undefined> = routesOf()
