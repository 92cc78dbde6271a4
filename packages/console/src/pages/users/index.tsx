import { lazy, type ReactNode, Suspense } from 'react'
import { usePagePath } from '../../shell/links.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { UsersList } from './users-list.tsx'

const LimitsPage = lazy(() => import('./limits-page.tsx').then((page) => ({ default: page.LimitsPage })))
const CsvPage = lazy(() => import('./csv/csv-page.tsx').then((page) => ({ default: page.CsvPage })))
const UserPage = lazy(() => import('./user-page.tsx').then((page) => ({ default: page.UserPage })))

/** `users`, `users/limits`, `users/csv` and `users/<App-Key>/<User-ID>`. */
export function Page(): ReactNode {
  const [first, userId] = usePagePath()
  if (first === undefined) return <UsersList />
  return (
    <Suspense
      fallback={
        <Skeleton>
          <Lines count={6} />
        </Skeleton>
      }
    >
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
