import { createContext } from 'react'

/** For whom functions are called. `args` are the arguments that are entered now. */
type Caller = { readonly appKey: string; readonly user: string; readonly args: Readonly<Record<string, unknown>> }

export const CallerContext = createContext<Caller>({ appKey: '', user: '', args: {} })
