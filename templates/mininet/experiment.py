#!/usr/bin/python3
"""EmuMininet1: two hosts and an echo service around a switch that is a service."""

import argparse
import os
import sys

os.environ.setdefault('EMU', 'EMU_COMMAND')
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from emu import EmuHost, EmuSwitch  # noqa: E402 (found by the lines above)
from mininet.log import output, setLogLevel  # noqa: E402
from mininet.net import Mininet  # noqa: E402
from mininet.topo import Topo  # noqa: E402


class EmuMininet1(Topo):
    "h1 and h2, of the kernel, and echo, a service, around s1."

    def build(self, service):
        switch = self.addSwitch('s1', cls=EmuSwitch, service=service)
        self.addLink(self.addHost('h1', ip='10.0.0.1/24'), switch)
        self.addLink(self.addHost('h2', ip='10.0.0.2/24'), switch)
        self.addLink(self.addHost('echo', cls=EmuHost, service='IcmpEcho', ip='10.0.0.3/24', mac='02:00:00:00:00:03'), switch)


def main():
    "Runs the pings; returns the exit code."
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--switch', default='LearningSwitch', help='the service of the switch: a name or a project')
    service = parser.parse_args().switch
    setLogLevel('info')
    net = Mininet(topo=EmuMininet1(os.path.abspath(service) if os.path.exists(service) else service), controller=None)
    try:
        net.start()
        lost = 0
        for address in net['h2'].IP(), net['echo'].IP():
            printed, _, code = net['h1'].pexec(['ping', '-c', '3', '-i', '0.2', '-W', '2', address])
            output(printed)
            lost += code != 0
        return min(lost, 1)
    finally:
        net.stop()


if __name__ == '__main__':
    sys.exit(main())
