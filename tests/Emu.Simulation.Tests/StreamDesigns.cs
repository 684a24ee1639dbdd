using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>The ways in which a slice can go wrong, one for each rule.</summary>
public enum Mistake
{
    None,
    DataChanges,
    KeepChanges,
    LastChanges,
    UserChanges,
    ValidFalls,
    ValidInReset,
    KeepHasHole,
    KeepNotFull,
    EmptyLastBeat,
    NoLast,
    WrongLength,
    NeverReady, NeverEnds, WaitsForReady,
}

/// <summary>Designs by hand that pass frames on.</summary>
internal static class StreamDesigns
{
    /// <summary>Two registers: every output is a flop's, a beat a cycle, no path from ready to ready.</summary>
    public static Design RegisterSlice(int busBytes, Mistake mistake = Mistake.None)
    {
        var ports = new StreamPorts(busBytes);
        var (valid, skidValid) = (new Flop("valid_reg", 1, 0), new Flop("skid_valid_reg", 1, 0));
        var (beat, skid) = (ports.BeatFlops("beat"), ports.BeatFlops("skid"));
        var accept = new Wire("accept", Rtl.And(ports.Valid, Rtl.Not(skidValid)));
        var free = new Wire("free", Rtl.Or(Rtl.Not(valid), ports.Ready)) { Comment = "the output is taken, or empty" };
        valid.Set(Rtl.Or(skidValid, accept), free);
        skidValid.Set(Rtl.And(Rtl.Not(free), Rtl.Or(skidValid, accept)));
        for (var i = 0; i < beat.Length; i++)
        {
            beat[i].Set(Rtl.Select(skidValid, skid[i], ports.Beat[i]), free);
            skid[i].Set(ports.Beat[i], accept);
        }
        var toggle = new Flop("toggle_reg", 1, null);
        toggle.Set(Rtl.Not(toggle));
        var isFirst = new Flop("is_first_reg", 1, 1);
        isFirst.Set(beat[^2], Rtl.And(valid, ports.Ready));
        var woke = new Flop("woke_reg", 1, 1).Set(Rtl.Number(1, 0));
        Value[] shown = [.. beat];
        var (shownValid, ready) = Mistaken(
            mistake, shown, valid, Rtl.Not(skidValid), toggle, isFirst, woke, ports.Ready);
        return Rtl.Of("slice", ports.Inputs, ports.Outputs(shown, shownValid, ready),
            [valid, skidValid, accept, free, .. beat, .. skid, toggle, isFirst, woke]);
    }

    /// <summary>Takes a whole frame into a RAM, then lets it out.</summary>
    /// <param name="busBytes">Of a beat.</param>
    /// <param name="depth">Beats.</param>
    /// <param name="isRegistered">True if the RAM is read through a register.</param>
    public static Design StoreAndForward(int busBytes, int depth, bool isRegistered)
    {
        var ports = new StreamPorts(busBytes);
        var width = System.Numerics.BitOperations.Log2((uint)depth);
        var (full, valid, pending) =
            (new Flop("full_reg", 1, 0), new Flop("valid_reg", 1, 0), new Flop("pending_reg", 1, 0));
        var (write, read) = (new Flop("write_reg", width, 0), new Flop("read_reg", width, 0));
        var beat = ports.BeatFlops("beat");
        var accept = new Wire("accept", Rtl.And(ports.Valid, Rtl.Not(full)));
        var rams = ports.Beat.Select(
            (part, i) => new Ram($"ram{i}", part.Width, depth) { Write = new RamWrite(write, part, accept) }).ToList();
        // Registered, a word is asked for in one cycle and taken in the next; else both at once.
        var canTake = Rtl.And(full, Rtl.Or(Rtl.Not(valid), ports.Ready));
        var ask = new Wire("ask", isRegistered ? Rtl.And(canTake, Rtl.Not(pending)) : canTake);
        var take = new Wire("take", isRegistered ? Rtl.And(pending, canTake) : canTake);
        var reads = rams.Select((ram, i) => new RamRead($"read{i}", ram, read, isRegistered, isRegistered ? ask : null))
            .ToList();
        var isEnd = new Wire("is_end", Rtl.And(take, reads[^2]));

        write.Set(Rtl.Select(isEnd, Rtl.Number(width, 0), Rtl.Add(write, Rtl.Number(width, 1))), Rtl.Or(accept, isEnd));
        read.Set(Rtl.Select(isEnd, Rtl.Number(width, 0), Rtl.Add(read, Rtl.Number(width, 1))), take);
        full.Set(Rtl.Select(full, Rtl.Not(isEnd), Rtl.And(accept, ports.Beat[^2])));
        pending.Set(ask, Rtl.Or(ask, take));
        valid.Set(take, Rtl.Or(take, ports.Ready));
        for (var i = 0; i < beat.Length; i++) beat[i].Set(reads[i], take);
        return Rtl.Of("buffer", ports.Inputs, ports.Outputs(beat, valid, Rtl.Not(full)),
            [full, valid, pending, write, read, accept, ask, take, isEnd, .. beat, .. rams, .. reads]);
    }

    private static (Value Valid, Value Ready) Mistaken(
        Mistake mistake, Value[] beat, Value valid, Value ready, Flop toggle, Flop isFirst, Flop woke, Value sinkReady)
    {
        ref var data = ref beat[0];
        ref var keep = ref beat[^3];
        ref var last = ref beat[^2];
        ref var user = ref beat[^1];
        Value Toggle(int width) => width == 1 ? toggle : new Operation(Opcode.ZeroExtend, width, toggle);
        Operation Xor(Value a, Value b) => new(Opcode.Xor, a.Width, a, b);
        var one = Rtl.Number(keep.Width, 1);
        switch (mistake)
        {
            case Mistake.DataChanges: data = Xor(data, Toggle(data.Width)); break;
            case Mistake.KeepChanges: keep = Rtl.Select(Rtl.And(last, toggle), one, keep); break;
            case Mistake.LastChanges: last = Rtl.Or(last, toggle); break;
            case Mistake.UserChanges:
                user = Xor(user, new Operation(Opcode.ShiftLeft, 128, Toggle(128), Rtl.Number(8, 100)));
                break;
            case Mistake.ValidFalls: return (Rtl.And(valid, toggle), ready);
            case Mistake.ValidInReset: return (Rtl.Or(valid, woke), ready);
            case Mistake.KeepHasHole: keep = Rtl.And(keep, Rtl.Number(keep.Width, ~(UInt128)2)); break;
            case Mistake.KeepNotFull: keep = Rtl.Select(last, keep, one); break;
            case Mistake.EmptyLastBeat:
                keep = Rtl.Select(Rtl.And(last, Rtl.Not(isFirst)), Rtl.Number(keep.Width, 0), keep);
                break;
            case Mistake.NoLast: last = Rtl.Number(1, 0); break;
            case Mistake.WrongLength: user = Xor(user, Rtl.Number(128, 1)); break;
            case Mistake.NeverReady: return (Rtl.Number(1, 0), Rtl.Number(1, 0));
            case Mistake.NeverEnds: return (Rtl.And(valid, isFirst), ready);
            case Mistake.WaitsForReady: return (Rtl.And(valid, sinkReady), ready);
        }
        return (valid, ready);
    }
}
