/** Makes the runner track the current test by the platform's storage, not a promise hook, which costs an eighth of a run. */
import hooks, {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
} from 'node:async_hooks';

type Added = (id: number, type: string, trigger: number, resource: object) => void;

const running = new AsyncLocalStorage<number>();
let added: Added = () => {};

class TestResource extends AsyncResource {
  constructor(...given: ConstructorParameters<typeof AsyncResource>) {
    super(...given);
    added(this.asyncId(), given[0], this.triggerAsyncId(), this);
  }
  override runInAsyncScope<This, Result>(
    run: (this: This, ...given: unknown[]) => Result,
    self?: This,
    ...given: readonly unknown[]
  ): Result {
    const id = this.asyncId();
    const inTest = function (this: This, ...passed: unknown[]): Result {
      return running.run(id, () => run.apply(this, passed));
    };
    return super.runInAsyncScope(inTest, self, ...given);
  }
}

Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook: ({ init }: { readonly init: Added }) => {
    added = init;
    return { enable: () => {}, disable: () => {} };
  },
});
// The runner takes them when it is loaded.
await import('node:test');
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
