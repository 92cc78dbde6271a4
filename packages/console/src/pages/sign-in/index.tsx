import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SignInScreen } from '../../shell/sign-in.tsx'

/** The page that a one-time link opens. */
export function Page(): ReactNode {
  const navigate = useNavigate()
  return <SignInScreen onDone={() => void navigate({ to: '/', replace: true })} />
}
