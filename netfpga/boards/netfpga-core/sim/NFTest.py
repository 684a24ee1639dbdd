"""Names that a run.py of NetFPGA calls, for a simulation of this project: stimuli and expectations as .axi files.

A frame is anything that bytes() takes: bytes, or a packet of scapy. The functions write, in the grammar of NetFPGA's own
simulation, into the working folder:

  nf_interface_N_stim.axi, dma_0_stim.axi          frames that come in
  nf_interface_N_expected.axi, dma_N_expected.axi  frames that have to leave
  reg_stim.axi, reg_expect.axi                     accesses to registers, and what reads have to return

`./emu board test DIR --run FILE` runs such a file with this module, then the bench with what it wrote.
"""
import sys

PORTS = @MACS@
BEAT = @DATA_BITS@ // 8
USER_DIGITS = 32
SOURCE_LOW = 16
BARRIER, BARRIER_OF_REGISTERS = 2, 4
READ, WRITE = 1, 2

_files = {}
_sent = {}
_expected = {}


def isHW():
    """Says whether the frames go to a card; here never."""
    return False


def nftest_init(sim_loop=[], hw_config=None):
    """Opens the files. No port is looped back here."""
    if sim_loop:
        sys.exit("nftest_init: sim_loop: no port of this bench is looped back")
    names = ["dma_0_stim", "reg_stim", "reg_expect"]
    for port in range(PORTS):
        names += ["nf_interface_%d_stim" % port, "nf_interface_%d_expected" % port, "dma_%d_expected" % port]
    for name in names:
        _files[name] = open(name + ".axi", "w")
    _forget()
    return "sim"


def nftest_start():
    """Begins the frames."""
    nftest_barrier()


def nftest_send_phy(interface, frames):
    """Frames, one or a list, that come from the line of a MAC: nf0, nf1."""
    port = _port(interface)
    _dump("nf_interface_%d_stim" % port, frames, 1 << 2 * port)
    _sent[port] += len(_list(frames))


def nftest_send_dma(interface, frames):
    """Frames, one or a list, that the host sends."""
    port = _port(interface)
    _dump("dma_0_stim", frames, 1 << 2 * port + 1)
    _sent["dma"] += len(_list(frames))


def nftest_expect_phy(interface, frames, mask=None):
    """Frames, one or a list, that leave by the line of a MAC."""
    port = _port(interface)
    _dump("nf_interface_%d_expected" % port, frames, 0, mask)
    _expected[port] += len(_list(frames))


def nftest_expect_dma(interface, frames, mask=None):
    """Frames, one or a list, that the host gets."""
    _dump("dma_%d_expected" % _port(interface), frames, 0, mask)
    _expected["dma"] += len(_list(frames))


def nftest_barrier():
    """Nothing behind it begins before all that is expected has come."""
    for port in range(PORTS):
        _counts("nf_interface_%d_stim" % port, BARRIER, [port])
    _counts("dma_0_stim", BARRIER, ["dma"])
    _counts("reg_stim", BARRIER_OF_REGISTERS, [*range(PORTS), "dma"])
    _forget()


def nftest_regread_expect(address, value):
    """Reads a register, which has to have a value. Returns 1: the bench finds what it has."""
    _write("reg_stim", "# READ\nR %08x\n-, -, -, %08x.\n" % (READ, address))
    _write("reg_expect", "# READ\nR %08x\n%08x, %08x.\n" % (READ, address, value))
    return 1


def nftest_regwrite(address, value):
    """Writes a register."""
    line = "# WRITE\nW %08x\n%08x, %08x, f, -.\n" % (WRITE, address, value)
    _write("reg_stim", line)
    _write("reg_expect", line)


def nftest_finish(reads=[]):
    """Ends the files. The result is the bench's."""
    nftest_barrier()
    for file in _files.values():
        file.close()
    return 0


def _port(interface):
    if interface not in ["nf%d" % port for port in range(PORTS)]:
        sys.exit("%s is none of nf0 to nf%d" % (interface, PORTS - 1))
    return int(interface[2:])


def _forget():
    for port in [*range(PORTS), "dma"]:
        _sent[port] = _expected[port] = 0


def _counts(name, number, ports):
    _write(name, "# BARRIER\nB %d\n" % number)
    for port in ports:
        _write(name, "# %s\nN %d\nS %d\n" % (port, _expected[port], _sent[port]))


def _list(frames):
    return frames if isinstance(frames, list) else [frames]


def _write(name, text):
    if name not in _files:
        sys.exit("nftest_init comes first")
    _files[name].write(text)


def _dump(name, frames, source, mask=None):
    if mask is not None:
        sys.exit("a mask has no place in .axi files: expect whole frames")
    before = None
    for frame in _list(frames):
        data = bytes(frame)
        if not data:
            sys.exit("a frame has no byte")
        time = getattr(frame, "time", None)
        if time is not None:
            now = int(time * 1e9)
            if before is None:
                _write(name, "@ %d\n" % now)
            elif now > before:
                _write(name, "+ %d\n" % (now - before))
            before = now
        for at in range(0, len(data), BEAT):
            word = data[at:at + BEAT]
            keep = (1 << len(word)) - 1
            user = len(data) | source << SOURCE_LOW
            _write(name, "%s, %0*x, %0*x%s\n" % (
                word.ljust(BEAT, b"\0")[::-1].hex(), BEAT // 4, keep, USER_DIGITS, user if at == 0 else 0,
                "," if at + BEAT < len(data) else "."))
