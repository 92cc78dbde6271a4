import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { BASE_PATH } from './api/base.ts'
import { Crashed, Frame } from './shell/frame.tsx'
import { Home } from './shell/home.tsx'
import { NotFound } from './shell/not-found.tsx'

/** The code of each page is loaded when it is opened. After a release, the pages of an old tab are gone; it then reloads once. */
const page = (load: () => Promise<{ Page: RouteComponent }>) => lazyRouteComponent(load, 'Page')

const overview = page(() => import('./pages/overview/index.tsx'))
const system = page(() => import('./pages/system/index.tsx'))

/** The pages of a workspace. Each reads what follows it in the address with `usePagePath`. */
const PAGES = {
  applications: page(() => import('./pages/applications/index.tsx')),
  catalog: page(() => import('./pages/catalog/index.tsx')),
  playground: page(() => import('./pages/playground/index.tsx')),
  calls: page(() => import('./pages/calls/index.tsx')),
  users: page(() => import('./pages/users/index.tsx')),
  accounts: page(() => import('./pages/accounts/index.tsx')),
  rules: page(() => import('./pages/rules/index.tsx')),
  approvals: page(() => import('./pages/approvals/index.tsx')),
  agents: page(() => import('./pages/agents/index.tsx')),
  webhooks: page(() => import('./pages/webhooks/index.tsx')),
  people: page(() => import('./pages/people/index.tsx')),
  settings: page(() => import('./pages/settings/index.tsx')),
}

const root = createRootRoute({ component: Outlet })
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })
const workspace = createRoute({ getParentRoute: () => frame, path: 'w/$workspace' })

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  component: page(() => import('./pages/sign-in/index.tsx')),
})

const inFrame = [
  createRoute({ getParentRoute: () => frame, path: '/', component: Home }),
  createRoute({ getParentRoute: () => frame, path: 'system', component: system }),
  createRoute({ getParentRoute: () => frame, path: 'system/$', component: system }),
]

const inWorkspace = [
  createRoute({ getParentRoute: () => workspace, path: '/', component: overview }),
  ...Object.entries(PAGES).flatMap(([path, component]) => [
    createRoute({ getParentRoute: () => workspace, path, component }),
    createRoute({ getParentRoute: () => workspace, path: `${path}/$`, component }),
  ]),
  // Old addresses of these pages.
  createRoute({
    getParentRoute: () => workspace,
    path: 'settings/members',
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: `/w/${params.workspace}/people` as never, search: search as never })
    },
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: 'applications/$key/rules',
    beforeLoad: ({ params: { workspace: id, key } }) => {
      throw redirect({ to: `/w/${id}/rules` as never, search: { app_key: key } as never })
    },
  }),
]

/** Search parameters are plain text. By default the router would write them as JSON, and read a user id of digits as a number. */
const searchAsText = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch(search: Record<string, unknown>) {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
}

export const router = createRouter({
  routeTree: root.addChildren([signIn, frame.addChildren([...inFrame, workspace.addChildren(inWorkspace)])]),
  basepath: BASE_PATH,
  ...searchAsText,
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
})
