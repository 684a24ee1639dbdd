using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The write channels of AXI4-Lite: one write at a time.</summary>
internal static class ControlWrites
{
    /// <summary>Makes the handshake.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="map">The register map.</param>
    /// <param name="resets">1 while a reset is asked for.</param>
    /// <param name="resetDone">1 in the cycle that ends it.</param>
    /// <param name="tableIndex">The bytes of the table index; none if there are no tables.</param>
    /// <param name="holds">1 while frames wait; null if there are no tables.</param>
    /// <returns>The word whose complement can be read.</returns>
    public static Value Build(
        Netlist n, ControlMap map, Flop resets, Value resetDone, IReadOnlyList<Flop> tableIndex, Flop? holds)
    {
        InputBits In(string name, int width) => new(n.Input($"s_axi_{name}", width), 0, width);
        var (awaddr, awvalid) = (In("awaddr", ControlMap.AddressBits), In("awvalid", 1));
        var (wdata, wstrb, wvalid) = (In("wdata", ControlMap.WordBits), In("wstrb", 4), In("wvalid", 1));
        var bready = In("bready", 1);
        var ready = n.AddFlop("write_ready", 1, 0);
        var responds = n.AddFlop("response_valid", 1, 0);
        ready.Next = n.And(n.And(awvalid, wvalid), n.And(n.Not(ready), n.Not(responds)));
        responds.Next = n.Or(ready, n.And(responds, n.Not(bready)));
        Value Writes(int address, int lane) =>
            n.And(
                n.And(ready, n.Equal(n.Extract(awaddr, 2, ControlMap.AddressBits - 2), ControlMap.Word(address))),
                n.Extract(wstrb, lane, 1));
        var bytes = Enumerable.Range(0, 4).Select(i => (Value)n.Registered(
            $"complement_{i}", n.Extract(wdata, 8 * i, 8), 0, Writes(ControlMap.ComplementAddress, i)));
        var written = bytes.Aggregate((low, high) => n.Concat(high, low));
        map.Entries.Add(
            new RegisterEntry(ControlMap.ComplementAddress, "complement", "the complement of what was written last"));
        var starts = n.And(Writes(ControlMap.ResetAddress, 0), n.Extract(wdata, 0, 1));
        resets.Next = n.Or(starts, n.And(resets, n.Not(resetDone)));
        for (var i = 0; i < tableIndex.Count; i++)
            (tableIndex[i].Next, tableIndex[i].Enable) =
                (n.Extract(wdata, 8 * i, tableIndex[i].Width), Writes(map.IndexAddress, i));
        // A reset ends the wait, so that it can always be had.
        if (holds is not null)
        {
            var writes = Writes(map.IndexAddress, ControlMap.HoldBit / 8);
            holds.Next = n.And(n.Not(resets), n.Select(writes, n.Extract(wdata, ControlMap.HoldBit, 1), holds));
        }
        n.Output("s_axi_awready", ready);
        n.Output("s_axi_wready", ready);
        n.Output("s_axi_bresp", FoldingBuilder.Zero(2));
        n.Output("s_axi_bvalid", responds);
        return written;
    }
}
