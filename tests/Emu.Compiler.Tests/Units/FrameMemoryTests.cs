using Emu.Compiler.Devices;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The engine's memory of a frame: any bytes in a cycle, wherever they begin, as an array has them.</summary>
public sealed class FrameMemoryTests
{
    private const int Rows = 16, FreeBytes = 6;

    [Theory]
    [InlineData(8, 0, 1, true)]
    [InlineData(8, 1, 1, false)]
    [InlineData(32, 0, 1, false)]
    [InlineData(32, 1, 1, false)]
    [InlineData(64, 1, 1, false)]
    [InlineData(8, 1, 2, true)]
    [InlineData(32, 0, 2, false)]
    [InlineData(8, 0, 1, true, 6)]
    [InlineData(8, 1, 1, false, 3)]
    [InlineData(32, 1, 2, false, 30)]
    public void Bytes_are_those_that_were_written_last(
        int lanes, int readCycles, int banks, bool outside, int? same = null)
    {
        var isRegistered = readCycles > 0;
        var random = new Random(lanes);
        var size = lanes * Rows;
        var (memories, asked) = (new[] { new byte[size], new byte[size] }, new byte[FreeBytes]);
        using var bench = new UnitBench(Design(lanes, (FrameMemoryAccess)readCycles, banks, same), outside);
        // Where all accesses begin in the same lane, none is rotated.
        int InLane(int at) => same is { } lane ? at - at % lanes + lane : at;
        for (var cycle = 0; cycle < 1500; cycle++)
        {
            // Offsets near the end, too: bytes go on at the beginning.
            var (readAt, writeAt) = (InLane(random.Next(size)), InLane(random.Next(size)));
            var (row, data) = (random.Next(Rows), new byte[lanes]);
            random.NextBytes(data);
            var (isRow, writes, fills) = (random.Next(4) == 0, random.Next(2), cycle < 2 * Rows || random.Next(8) == 0);
            var (free, lane, bank) = (data[..FreeBytes], random.Next(2), random.Next(banks));
            var memory = memories[bank];
            bench.Set("bank", (uint)bank);
            bench.Set("shows_row", isRow ? 1u : 0u);
            bench.Set("read_at", (uint)readAt);
            bench.Set("write_at", (uint)writeAt);
            bench.Set("writes", !fills && writes == 1 ? 1u : 0u);
            bench.Set("fills", fills ? 1u : 0u);
            bench.Set("filled_lanes", fills ? lane == 0 ? UInt128.MaxValue >> 128 - lanes : 1u : 0u);
            bench.Set("row", (uint)row);
            bench.Set("data", data);
            bench.Step();

            // What is seen is what was there before the write of the cycle.
            byte[] Free() => [.. Enumerable.Range(readAt, FreeBytes).Select(i => memory[i % size])];
            Assert.Equal(memory[3], (byte)bench.Get("fixed"));
            if (isRow) Assert.Equal(memory[(lanes * row)..(lanes * (row + 1))], bench.Bytes("shown", lanes));
            if (isRegistered && cycle > 0 && asked.Length > 0) Assert.Equal(asked, bench.Bytes("read", FreeBytes));
            if (!isRegistered && !isRow) Assert.Equal(Free(), bench.Bytes("read", FreeBytes));
            asked = isRow ? [] : Free();
            if (fills) data.AsSpan(0, lane == 0 ? lanes : 1).CopyTo(memory.AsSpan(lanes * row));
            else if (writes == 1) foreach (var (i, octet) in free.Index()) memory[(writeAt + i) % size] = octet;
        }
    }

    /// <summary>
    /// Bytes are read in the cycle after their offset where that is in flops as well, and written in it; a row is read
    /// at once.
    /// </summary>
    [Theory]
    [InlineData(8, true)]
    [InlineData(32, false)]
    [InlineData(8, true, 3)]
    [InlineData(32, false, 30)]
    public void Posted_writes_are_done_a_cycle_later(int lanes, bool outside, int? same = null)
    {
        var random = new Random(lanes);
        var size = lanes * Rows;
        var (memory, asked, read, posted) = (new byte[size], (int?)null, (byte[]?)null, ((int At, byte[] Bytes)?)null);
        using var bench = new UnitBench(
            Design(lanes, FrameMemoryAccess.OffsetsAndBytesInFlops, banks: 1, same), outside);
        int InLane(int at) => same is { } lane ? at - at % lanes + lane : at;
        for (var cycle = 0; cycle < 1500; cycle++)
        {
            var (readAt, writeAt) = (InLane(random.Next(size)), InLane(random.Next(size)));
            var (row, data) = (random.Next(Rows), new byte[lanes]);
            random.NextBytes(data);
            // A frame comes in at the beginning, or when nothing is on its way.
            var fills = posted is null && (cycle < Rows || random.Next(8) == 0);
            var (isRow, writes) = (random.Next(4) == 0, !fills && random.Next(2) == 0);
            if (cycle < Rows) row = cycle;
            bench.Set("bank", 0u);
            bench.Set("shows_row", isRow ? 1u : 0u);
            bench.Set("read_at", (uint)readAt);
            bench.Set("write_at", (uint)writeAt);
            bench.Set("writes", writes ? 1u : 0u);
            bench.Set("fills", fills ? 1u : 0u);
            bench.Set("filled_lanes", fills ? UInt128.MaxValue >> 128 - lanes : 0);
            bench.Set("row", (uint)row);
            bench.Set("data", data);
            bench.Step();

            if (read is not null) Assert.Equal(read, bench.Bytes("read", FreeBytes));
            if (isRow) Assert.Equal(memory[(lanes * row)..(lanes * (row + 1))], bench.Bytes("shown", lanes));
            read = isRow || asked is not { } at
                ? null
                : [.. Enumerable.Range(at, FreeBytes).Select(i => memory[i % size])];
            asked = isRow ? null : readAt;
            if (fills) data.CopyTo(memory.AsSpan(lanes * row));
            if (posted is { } write)
            {
                foreach (var (i, octet) in write.Bytes.Index()) memory[(write.At + i) % size] = octet;
            }
            posted = writes ? (writeAt, data[..FreeBytes]) : null;
        }
    }

    private static UnitDesign Design(int lanes, FrameMemoryAccess access, int banks, int? same)
    {
        var design = new UnitDesign("memory");
        var n = design.Netlist;
        var bank = design.In("bank", 1);
        var memory = new FrameMemory(
            n, new Delays(Device.Default), lanes, Rows, fixedBytes: 4, access, banks == 1 ? null : bank);
        var bits = System.Numerics.BitOperations.Log2((uint)(lanes * Rows));
        var (showsRow, fills) = (design.In("shows_row", 1), design.In("fills", 1));
        var (lanesIn, row, data) = (n.Input("filled_lanes", lanes), design.In("row", memory.RowBits),
            design.Bytes("data", lanes));
        var shown = memory.Row(showsRow, row);
        var read = memory.Read(n.Not(showsRow), design.In("read_at", bits), FreeBytes, same);
        var writes = design.In("writes", 1);
        for (var lane = 0; lane < lanes; lane++)
            memory.Write(fills, new InputBits(lanesIn, lane, 1), lane, row, data[lane]);
        // A state that may write is active without doing so, too.
        memory.Write(n.Not(fills), writes, design.In("write_at", bits), [.. data[..FreeBytes]], same);
        var octet = memory.At(3);
        memory.Build();
        design.Out("shown", shown);
        design.Out("read", [.. read]);
        design.Out("fixed", octet);
        return design;
    }
}
