using System;
using System.Threading;
using KiwiSystem;

// A register file of AXI4-Lite: write and read channels in threads, strobes, a scratch memory, clear on read.
public static class AxiLite
{
    [Kiwi.InputBitPort("awvalid")] static bool awvalid;
    [Kiwi.OutputBitPort("awready")] static bool awready;
    [Kiwi.InputWordPort(7, 0, "awaddr")] static byte awaddr;
    [Kiwi.InputBitPort("wvalid")] static bool wvalid;
    [Kiwi.OutputBitPort("wready")] static bool wready;
    [Kiwi.InputWordPort(31, 0, "wdata")] static uint wdata;
    [Kiwi.InputWordPort(3, 0, "wstrb")] static byte wstrb;
    [Kiwi.OutputBitPort("bvalid")] static bool bvalid;
    [Kiwi.InputBitPort("bready")] static bool bready;
    [Kiwi.OutputWordPort(1, 0, "bresp")] static byte bresp;
    [Kiwi.InputBitPort("arvalid")] static bool arvalid;
    [Kiwi.OutputBitPort("arready")] static bool arready;
    [Kiwi.InputWordPort(7, 0, "araddr")] static byte araddr;
    [Kiwi.OutputBitPort("rvalid")] static bool rvalid;
    [Kiwi.InputBitPort("rready")] static bool rready;
    [Kiwi.OutputWordPort(31, 0, "rdata")] static uint rdata;
    [Kiwi.OutputWordPort(1, 0, "rresp")] static byte rresp;

    const byte Okay = 0, SlvErr = 2;
    static readonly uint[] registers = new uint[16];
    static uint writes, clears, seen;

    static uint Mask(byte strobes)
    {
        uint mask = 0;
        for (int lane = 0; lane < 4; lane++)
            if ((strobes & 1 << lane) != 0) mask |= 0xFFu << 8 * lane;
        return mask;
    }

    static void Write()
    {
        while (true)
        {
            awready = true;
            do Kiwi.Pause(); while (!awvalid);
            awready = false;
            int index = awaddr >> 2;
            wready = true;
            do Kiwi.Pause(); while (!wvalid);
            wready = false;
            if (index < registers.Length)
            {
                uint mask = Mask(wstrb);
                registers[index] = registers[index] & ~mask | wdata & mask;
                writes++;
                bresp = Okay;
            }
            else bresp = SlvErr;
            bvalid = true;
            do Kiwi.Pause(); while (!bready);
            bvalid = false;
        }
    }

    static void Read()
    {
        while (true)
        {
            arready = true;
            do Kiwi.Pause(); while (!arvalid);
            arready = false;
            var index = araddr >> 2;
            (rdata, rresp) = index switch
            {
                < 16 => (registers[index], Okay),
                16 => (writes, Okay),
                17 => (clears, Okay),
                _ => (0xDEAD_BEEF, SlvErr),
            };
            if (index == 16) { clears++; }
            rvalid = true;
            do Kiwi.Pause(); while (!rready);
            rvalid = false;
        }
    }

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        new Thread(Write).Start();
        new Thread(Read).Start();
        while (true) { Kiwi.Pause(); seen++; }
    }
}
