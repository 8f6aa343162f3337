"""What collective communication needs of the system: RDMA's user space, Open MPI, asynchronous I/O."""

from recipes.base.system import RECIPE as SYSTEM
from xpubuild.authoring import CommandCheck, Facts, Recipe

RECIPE = Recipe(
    component="fabric",
    title="RDMA and MPI",
    facts=Facts(summary="rdma-core with ibverbs, Open MPI, libaio", homepage="https://github.com/linux-rdma/rdma-core"),
    needs=(SYSTEM,),
    system=("ibverbs-providers", "ibverbs-utils", "libaio-dev", "libibverbs-dev", "openmpi-bin", "rdma-core"),
    environment=(
        # Jobs in a container run as root; Open MPI 4 refuses that unless both are set.
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ),
    checks=(
        CommandCheck(
            name="fabric-mpi", command=("mpirun", "--oversubscribe", "-np", "2", "echo", "rank"), expects=r"rank\nrank"
        ),
        CommandCheck(
            name="fabric-ibverbs",
            command=("python3", "-c", "import ctypes; print(ctypes.CDLL('libibverbs.so.1'))"),
            expects=r"libibverbs\.so\.1",
        ),
        CommandCheck(
            name="fabric-aio",
            command=("python3", "-c", "import ctypes; print(ctypes.CDLL('libaio.so.1'))"),
            expects=r"libaio\.so\.1",
        ),
    ),
)
