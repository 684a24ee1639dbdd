using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>The ways in which registers can answer wrongly.</summary>
public enum RegisterMistake
{
    None,
    AnswersBeforeData,
    AnswersUnread,
    ReadValidFalls,
    DataChanges,
    ResponseChanges,
    ExclusiveResponse,
    NoAnswer,
    ValidInReset,
}

/// <summary>Four registers of 32 bits behind AXI4-Lite; elsewhere there is nothing. Its streams lie idle.</summary>
internal static class RegisterDesign
{
    public static Design Of(RegisterMistake mistake = RegisterMistake.None)
    {
        var streams = new StreamPorts(8);
        var inputs = new Dictionary<string, InputPort>();
        (string, int)[] widths =
            [
                ("awaddr", 12), ("awvalid", 1), ("wdata", 32), ("wstrb", 4), ("wvalid", 1), ("bready", 1),
                ("araddr", 12), ("arvalid", 1), ("rready", 1),
            ];
        foreach (var (name, width) in widths) inputs[name] = new InputPort("s_axi_" + name, width);
        Value In(string name) => inputs[name].All();

        var (hasAddress, hasData) = (new Flop("has_address_reg", 1, 0), new Flop("has_data_reg", 1, 0));
        var (address, data, strobe) =
            (new Flop("address_reg", 12, null), new Flop("data_reg", 32, null), new Flop("strobe_reg", 4, null));
        var (bvalid, bresp) = (new Flop("bvalid_reg", 1, 0), new Flop("bresp_reg", 2, null));
        var (rvalid, rresp, rdata) =
            (new Flop("rvalid_reg", 1, 0), new Flop("rresp_reg", 2, null), new Flop("rdata_reg", 32, null));
        var toggle = new Flop("toggle_reg", 1, 0);
        toggle.Set(Rtl.Not(toggle));
        var woke = new Flop("woke_reg", 1, 1).Set(Rtl.Number(1, 0));
        var registers = Enumerable.Range(0, 4).Select(i => new Flop($"r{i}_reg", 32, 0)).ToArray();

        var write = new Wire("write", Rtl.And(Rtl.And(hasAddress, hasData), Rtl.Not(bvalid)));
        address.Set(In("awaddr"), Rtl.And(In("awvalid"), Rtl.Not(hasAddress)));
        hasAddress.Set(Rtl.Select(write, Rtl.Number(1, 0), Rtl.Or(hasAddress, In("awvalid"))));
        data.Set(In("wdata"), Rtl.And(In("wvalid"), Rtl.Not(hasData)));
        strobe.Set(In("wstrb"), Rtl.And(In("wvalid"), Rtl.Not(hasData)));
        hasData.Set(Rtl.Select(write, Rtl.Number(1, 0), Rtl.Or(hasData, In("wvalid"))));
        var answer = mistake == RegisterMistake.AnswersBeforeData ? Rtl.And(hasAddress, Rtl.Not(bvalid)) : (Value)write;
        if (mistake == RegisterMistake.NoAnswer) answer = Rtl.Number(1, 0);
        bvalid.Set(Rtl.Select(bvalid, Rtl.Not(In("bready")), answer));
        bresp.Set(Response(address), write);
        for (var i = 0; i < 4; i++)
            registers[i].Set(
                Merge(registers[i], data, strobe),
                Rtl.And(write, Rtl.Equal(address, Rtl.Number(12, (UInt128)(4 * i)))));

        var read = new Wire("read", Rtl.And(In("arvalid"), Rtl.Not(rvalid)));
        rvalid.Set(Rtl.Select(rvalid, Rtl.Not(In("rready")), mistake == RegisterMistake.AnswersUnread ? toggle : read));
        rresp.Set(Response(In("araddr")), read);
        Value chosen = Rtl.Number(32, 0);
        for (var i = 0; i < 4; i++)
            chosen = Rtl.Select(Rtl.Equal(In("araddr"), Rtl.Number(12, (UInt128)(4 * i))), registers[i], chosen);
        rdata.Set(chosen, read);

        Value shownResponse = mistake switch
        {
            RegisterMistake.ExclusiveResponse => Rtl.Number(2, 1),
            RegisterMistake.ResponseChanges => new Operation(Opcode.Concat, 2, toggle, Rtl.Number(1, 0)),
            _ => bresp,
        };
        Operation Flicker(Value value) =>
            new(Opcode.Xor, value.Width, value, new Operation(Opcode.ZeroExtend, value.Width, toggle));
        return Rtl.Of("registers", [.. streams.Inputs, .. inputs.Values],
            [
                .. streams.Outputs(
                    [.. streams.Beat.Select(v => Rtl.Number(v.Width, 0))], Rtl.Number(1, 0), Rtl.Number(1, 0)),
                new("s_axi_awready", Rtl.Not(hasAddress)), new("s_axi_wready", Rtl.Not(hasData)),
                new("s_axi_bvalid", mistake == RegisterMistake.ValidInReset ? Rtl.Or(bvalid, woke) : bvalid),
                new("s_axi_bresp", shownResponse),
                new("s_axi_arready", Rtl.Not(rvalid)),
                new("s_axi_rvalid", mistake == RegisterMistake.ReadValidFalls ? Rtl.And(rvalid, toggle) : rvalid),
                new("s_axi_rdata", mistake == RegisterMistake.DataChanges ? Flicker(rdata) : rdata),
                new("s_axi_rresp", rresp),
            ],
            [
                hasAddress,
                hasData,
                address,
                data,
                strobe,
                bvalid,
                bresp,
                rvalid,
                rresp,
                rdata,
                toggle,
                woke,
                .. registers,
                write,
                read,
            ]);
    }

    private static Operation Response(Value address) =>
        Rtl.Select(
            new Operation(Opcode.LessUnsigned, 1, address, Rtl.Number(12, 16)),
            Number(AxiResponse.Okay),
            Number(AxiResponse.DecodeError));

    private static Constant Number(AxiResponse response) => Rtl.Number(2, (UInt128)(int)response);

    private static Value Merge(Value before, Value data, Value strobe)
    {
        Value merged = Byte(0);
        for (var i = 1; i < 4; i++) merged = new Operation(Opcode.Concat, merged.Width + 8, Byte(i), merged);
        return merged;

        Operation Byte(int i) =>
            Rtl.Select(Rtl.Extract(strobe, i, 1), Rtl.Extract(data, 8 * i, 8), Rtl.Extract(before, 8 * i, 8));
    }
}
