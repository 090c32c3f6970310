/** Catches rendering errors and shows the failure page. */
import { Component, type ReactNode } from 'react';
import { Failed } from './error-pages.tsx';

type Props = { readonly children: ReactNode };
type State = { readonly failed: boolean };

// React requires a class here, and nowhere else.
export class ErrorBoundary extends Component<Props, State> {
  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override readonly state: State = { failed: false };

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children;
  }
}
