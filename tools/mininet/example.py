#!/usr/bin/python3
"""A switch with two ordinary hosts and one that is an Emu service: a place to start from.

    sudo tools/mininet/example.py

Ends with exit code 0 when every ping was answered. Put `CLI(net)` (from mininet.cli) where the pings are, to look around."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from emu import EmuHost, EmuSwitch  # noqa: E402 (found by the line above)
from mininet.log import output, setLogLevel  # noqa: E402
from mininet.net import Mininet  # noqa: E402
from mininet.topo import Topo  # noqa: E402


class Example(Topo):
    "h1 and h2, of the kernel, and echo, of Emu, around s1."

    def build(self):
        switch = self.addSwitch('s1', cls=EmuSwitch, service='LearningSwitch')
        self.addLink(self.addHost('h1', ip='10.0.0.1/24'), switch)
        self.addLink(self.addHost('h2', ip='10.0.0.2/24'), switch)
        self.addLink(self.addHost('echo', cls=EmuHost, service='IcmpEcho', ip='10.0.0.3/24', mac='02:00:00:00:00:03'), switch)


def main():
    "Runs the pings; returns the exit code."
    setLogLevel('info')
    net = Mininet(topo=Example(), controller=None)
    try:
        net.start()
        h1 = net['h1']
        lost = 0
        for address in net['h2'].IP(), net['echo'].IP():
            printed, _, code = h1.pexec(['ping', '-c', '3', '-i', '0.2', '-W', '2', address])
            output(printed)
            lost += code != 0
        return min(lost, 1)
    finally:
        net.stop()


if __name__ == '__main__':
    sys.exit(main())
