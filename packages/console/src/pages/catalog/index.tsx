import { lazy, type ReactNode, Suspense } from 'react'
import { PageLink, tabOf, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { LoadingPage } from '../../ui/page.tsx'
import { AppPage, TABS } from './app-page.tsx'
import { FunctionPage } from './function-page.tsx'
import { AppList } from './list.tsx'
import { CATALOG } from './words.ts'

/** The code of the wizard is loaded when it is opened. */
const ImportWizard = lazy(() => import('./import-wizard.tsx').then((module) => ({ default: module.ImportWizard })))

/** No app can have this name. */
const IMPORT = '_import'

/** The list of apps, one app (`/catalog/<app>/<tab>`), one function (`/catalog/<app>/<function>`), or the wizard that imports one. */
export function Page(): ReactNode {
  const [app, tab] = usePagePath()
  if (app === undefined) return <AppList />
  if (app === IMPORT) {
    return (
      <Suspense
        fallback={
          <LoadingPage
            title={CATALOG.import}
            path={[
              <PageLink key="catalog" page="catalog">
                {CATALOG.title}
              </PageLink>,
            ]}
          />
        }
      >
        <ImportWizard />
      </Suspense>
    )
  }
  // The name of a function begins with that of its app.
  if (tab?.startsWith(`${app}-`)) return <FunctionPage key={tab} app={app} name={tab} />
  const shown = tabOf(TABS, tab)
  return shown === undefined ? <NotFound /> : <AppPage key={app} name={app} tab={shown} />
}
