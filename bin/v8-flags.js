/**
 * Sets V8's memory flags for the server. Young objects live as long as a purchase: V8's initial 1 MB promotes most
 * of them too early, and 6 MB copy those of a hundred purchases in flight too often. The maximum would cost 50 MB.
 * The old generation may grow by a share of its own before it is collected: that takes 20 ms, which one purchase in a
 * hundred met when it was collected three times as often. One marking thread is enough: on few cores, more of them
 * delay requests. Parallel scavenges wait for threads that may not have a core, and one thread copies so few
 * objects as quickly.
 */
export const v8Flags = [
  '--max-semi-space-size=12',
  '--heap-growing-percent=60',
  '--concurrent-marking-max-worker-num=1',
  '--no-parallel-scavenge',
];
