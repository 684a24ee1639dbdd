"""Frames for @SERVICE@, and those that a run of its class sends: for NetFPGA's nf_test.py, both sim and hw with
--major emu --minor frames, and for ./emu board test DIR --run test/both_emu_frames/run.py."""
from NFTest import *
from reg_defines_emu_@CORE@ import *

try:
    from scapy.layers.l2 import Ether as frame_of
except ImportError:
    # NFTest.py of a project's bench takes bytes; NetFPGA's own needs scapy.
    frame_of = bytes

# Nanoseconds in seconds: a frame of a simulation has the time at which it comes, from its begin on.
FIRST = 2e-6


def frame(text):
    packet = frame_of(bytes.fromhex(text))
    if frame_of is not bytes:
        packet.time = FIRST
    return packet


def one(packet):
    """A simulation takes lists, a card takes frames."""
    return packet if isHW() else [packet]


def at(nanoseconds):
    """Sets the board's clock, which stands still, so that frames have the times that they have in the run."""
    nftest_regwrite(NFPLUS_OUTPUT_PORT_LOOKUP_0_TIME_LOW(), nanoseconds & 0xffffffff)
    nftest_regwrite(NFPLUS_OUTPUT_PORT_LOOKUP_0_TIME_HIGH(), nanoseconds >> 32)
    nftest_barrier()


nftest_init(sim_loop=[], hw_config=[('../connections/conn', [])])
nftest_start()
nftest_regwrite(NFPLUS_OUTPUT_PORT_LOOKUP_0_TIME_STEP(), 0)

@FRAMES@
read = [
@READS@
]
nftest_finish(read if isHW() else [])
