"""Mininet 2.3 nodes whose work is done by Emu services.

    mn --custom tools/mininet/emu.py --switch emu,service=LearningSwitch --test pingall

EmuSwitch is a switch, EmuHost a host without a protocol stack of its own. Each runs `emu run SERVICE --port raw:IF ...` in the
node's network namespace, or with `hardware=managed` `emu simulate SERVICE ...`: the circuit instead of the C#. README.md beside
this file says more.
"""

import ctypes
import os
import shlex
import signal
import sys
import tempfile
import threading
import time
from functools import partialmethod
from subprocess import DEVNULL, STDOUT, TimeoutExpired

from mininet.log import error
from mininet.moduledeps import pathCheck
from mininet.net import Mininet
from mininet.node import Host, NullController, Switch

# `mn --custom` executes this file without __file__; the compiled code knows where it comes from.
HERE = os.path.dirname(os.path.abspath(sys._getframe().f_code.co_filename))
SCRIPT = os.path.join(HERE, '..', '..', 'emu')  # of a clone; elsewhere the installed command is meant
EMU = os.environ.get('EMU') or (SCRIPT if os.path.isfile(SCRIPT) else 'emu')

READY_SECONDS = 120  # the first run may have to build; hardware is compiled first
GRACE_SECONDS = 5    # between asking a service to end and killing it
PR_SET_PDEATHSIG = 1


class EmuService:
    """A service on all interfaces of a node, as a child process that ends with this one, even if that is killed."""

    def __init__(self, node, service, args, hardware):
        pathCheck('ethtool', moduleName='Emu')
        self.node = node
        self.service = service
        self.hardware = hardware
        self.args = shlex.split(args) if isinstance(args, str) else [str(arg) for arg in args]
        self.names = []
        self.process = None
        self.log = None
        self.stopping = False

    def start(self):
        """Starts it, without waiting until it is ready."""
        interfaces = [intf for intf in self.node.intfList() if intf.name != 'lo']
        if not interfaces:
            raise Exception('%s: a service needs a link' % self.node.name)
        prepare(interfaces)
        self.names = [intf.name for intf in interfaces]
        command = [EMU, 'simulate', self.service, '--with', self.hardware] if self.hardware else [EMU, 'run', self.service]
        for name in self.names:
            command += ['--port', 'raw:' + name]
        if self.args:
            command += ['--'] + self.args

        libc = ctypes.CDLL(None)
        self.stopping = False
        self.log = tempfile.NamedTemporaryFile(prefix='emu-%s-' % self.node.name, suffix='.txt')  # mn's clean-up removes /tmp/*.log
        self.process = self.node.popen(command, stdin=DEVNULL, stdout=self.log, stderr=STDOUT,
                                       preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
        threading.Thread(target=self._report_end, args=(self.process,), daemon=True).start()

    def wait_ready(self):
        """Waits for the line `ready...`, which says that its ports are open."""
        deadline = time.monotonic() + READY_SECONDS
        while not self.is_ready():
            if self.process.poll() is not None:
                self.stopping = True
                raise Exception('%s: %s ended with exit code %d before it was ready:\n%s'
                                % (self.node.name, self.service, self.process.returncode, self._printed()))
            if time.monotonic() > deadline:
                self.stop()
                raise Exception('%s: %s was not ready within %d s' % (self.node.name, self.service, READY_SECONDS))
            time.sleep(0.02)

    def is_ready(self):
        """Whether it runs, and its ports are open."""
        return (self.process is not None and self.process.poll() is None
                and any(line.startswith('ready') for line in self._printed().splitlines()))

    def stop(self):
        """Ends it: as Ctrl-C does, then by force."""
        if self.process is None:
            return
        self.stopping = True
        # It leads a session of its own (mnexec -d), so its children are in its group.
        for sig, seconds in (signal.SIGINT, GRACE_SECONDS), (signal.SIGKILL, None):
            if self.process.poll() is None:
                os.killpg(self.process.pid, sig)
                try:
                    self.process.wait(seconds)
                except TimeoutExpired:
                    pass
        self.process = None
        self.log.close()

    def _printed(self):
        with open(self.log.name, errors='replace') as log:
            return log.read()

    def _report_end(self, process):
        code = process.wait()
        # Mininet deletes the links before it stops the nodes: without them, its end is no news.
        with open('/proc/%d/net/dev' % self.node.pid) as devices:
            present = devices.read()
        if not self.stopping and all(name + ':' in present for name in self.names):
            error('\n*** %s: %s ended with exit code %d:\n%s\n' % (self.node.name, self.service, code, self._printed()))


class EmuSwitch(Switch):
    """A switch that is an Emu service, in a namespace of its own.

    service: class or project, as `emu run` takes it
    args: the service's arguments, a list or a string as for a shell
    hardware: the simulator of its circuit (`emu simulate --with`): managed, verilator, icarus; None for .NET"""

    def __init__(self, name, service='LearningSwitch', args=(), hardware=None, **params):
        params['inNamespace'] = True  # Mininet would put it into the root namespace
        super().__init__(name, **params)
        self.emu = EmuService(self, service, args, hardware)

    def start(self, _controllers):
        "Starts the service; batchStartup waits for all at once."
        silence(self)
        self.emu.start()

    @classmethod
    def batchStartup(cls, switches):
        "Waits until all are ready."
        for switch in switches:
            switch.emu.wait_ready()
        return switches

    def connected(self):
        "Whether it forwards."
        return self.emu.is_ready()

    def stop(self, deleteIntfs=True):
        "Ends the service."
        self.emu.stop()
        super().stop(deleteIntfs)


class EmuHost(Host):
    """A host that is an Emu service: the kernel has no address there and answers nothing.

    service: class or project, as `emu run` takes it
    args: the service's arguments, a list or a string as for a shell; {ip} and {mac} stand for the host's addresses
    hardware: the simulator of its circuit (`emu simulate --with`): managed, verilator, icarus; None for .NET"""

    def __init__(self, name, service='IcmpEcho', args='--address {ip} --mac {mac}', hardware=None, **params):
        super().__init__(name, **params)
        self.emu = EmuService(self, service, args, hardware)

    def config(self, ip=None, **params):
        "Starts the service, with the addresses that the kernel would have got."
        result = super().config(ip=None, **params)
        silence(self)
        intf = self.defaultIntf()
        if intf is None:
            return result
        if ip is not None:
            intf.ip, _, intf.prefixLen = ip.partition('/')
        mac = intf.MAC() or intf.updateMAC()
        self.emu.args = [arg.replace('{ip}', str(intf.IP())).replace('{mac}', mac) for arg in self.emu.args]
        self.emu.start()
        self.emu.wait_ready()
        return result

    def terminate(self):
        "Ends the service."
        self.emu.stop()
        super().terminate()


def silence(node):
    """Keeps the node's kernel from speaking IPv6, neighbour discovery above all, on the interfaces of the service."""
    node.cmd('for f in /proc/sys/net/ipv6/conf/*/disable_ipv6; do echo 1 > $f; done')


def prepare(interfaces):
    """Turns offloads off on both ends of the links: with them on, the service would see frames that no wire carries, longer than the
    MTU and without checksums."""
    for intf in interfaces:
        for end in (intf.link.intf1, intf.link.intf2) if intf.link else (intf,):
            end.node.cmd('ethtool -K', end.name, 'tx off gro off gso off tso off')


def findController():
    """No controller. `mn` takes every name in this file for its own, and asks this function for the controller that is used when none
    is named on its command line: it would refuse to run without one, or start one in the root namespace."""
    return NullController


# Mininet counts the reports of the iperf server, and waits for ever where iperf gives one for its two (2.1 and later): ask for one a second.
Mininet.iperf = partialmethod(Mininet.iperf, fmt='m -i 1')

# What `mn` looks for in a file named by --custom.
switches = {'emu': EmuSwitch}
hosts = {'emuhost': EmuHost}
