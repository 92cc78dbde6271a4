import { lazy, type ReactNode, Suspense } from 'react'
import { PageLink, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { LoadingPage } from '../../ui/page.tsx'
import { UsersList } from './users-list.tsx'
import { WORDS } from './words.ts'

const LimitsPage = lazy(() => import('./limits-page.tsx').then((page) => ({ default: page.LimitsPage })))
const CsvPage = lazy(() => import('./csv/csv-page.tsx').then((page) => ({ default: page.CsvPage })))
const UserPage = lazy(() => import('./user-page.tsx').then((page) => ({ default: page.UserPage })))

/** `users`, `users/limits`, `users/csv` and `users/<App-Key>/<User-ID>`. */
export function Page(): ReactNode {
  const [first, userId] = usePagePath()
  if (first === undefined) return <UsersList />
  if (userId === undefined && first !== 'limits' && first !== 'csv') return <NotFound />
  const title = userId ?? (first === 'csv' ? WORDS.csv.title : WORDS.limits.title)
  const path = [
    <PageLink key="users" page="users">
      {WORDS.title}
    </PageLink>,
  ]
  return (
    <Suspense fallback={<LoadingPage title={title} path={path} />}>
      {userId !== undefined ? (
        <UserPage key={`${first}/${userId}`} appKey={first} userId={userId} />
      ) : first === 'csv' ? (
        <CsvPage />
      ) : (
        <LimitsPage />
      )}
    </Suspense>
  )
}
