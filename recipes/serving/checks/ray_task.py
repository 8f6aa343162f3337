"""Ray starts, runs a remote task in a worker process, and gives back an object."""

import os

import ray

ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, _temp_dir="/tmp/ray")


@ray.remote
def work(number):
    return os.getpid(), number * 2


pids, numbers = zip(*ray.get([work.remote(n) for n in range(4)]), strict=True)
assert numbers == (0, 2, 4, 6), numbers
assert os.getpid() not in pids, "the task ran in this process"
block = ray.put(bytes(1 << 20))
assert len(ray.get(block)) == 1 << 20
ray.shutdown()
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
