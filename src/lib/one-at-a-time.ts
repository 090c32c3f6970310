/** Runs tasks one at a time, in the order in which they came; one that fails delays no other. */
export type OneAtATime = <Result>(task: () => Promise<Result>) => Promise<Result>;

export const createOneAtATime = (): OneAtATime => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
};
