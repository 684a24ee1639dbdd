using KiwiSystem;

namespace Emu.Clocked.Tests;

/// <summary>Gives frames of a kind their numbers: a program whose results come in the second cycle.</summary>
internal static class StampUnit
{
    [Kiwi.InputBitPort("valid")]
    private static bool s_valid;

    [Kiwi.InputWordPort("kind")]
    private static byte s_kind;

    [Kiwi.OutputWordPort("result")]
    private static uint s_result;

    [Kiwi.OutputBitPort("is_first")]
    private static bool s_isFirst;

    private static readonly uint[] s_counts = new uint[4];

    [Kiwi.HardwareEntryPoint]
    public static void Run()
    {
        uint number = 0;
        var isFirst = false;
        while (true)
        {
            Kiwi.Pause();
            (s_result, s_isFirst) = (number, isFirst);
            (number, isFirst) = (0, false);
            if (!s_valid) continue;
            number = ++s_counts[s_kind & 3];
            isFirst = number == 1;
        }
    }
}

/// <summary>Does the same as <see cref="StampUnit"/>, as C# of a service.</summary>
internal sealed class Stamper
{
    private readonly uint[] _counts = new uint[4];

    [Clocked(typeof(StampUnit), Latency = 2)]
    public uint Next(byte kind, out bool isFirst)
    {
        isFirst = ++_counts[kind & 3] == 1;
        return _counts[kind & 3];
    }
}

/// <summary>Stamps frames with numbers of their own, by two components.</summary>
internal sealed class FrameStamper : Service
{
    private readonly Stamper _kinds = new();
    private readonly Stamper _ports = new();

    public Counter Firsts { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Bytes[1] == 0) return;
        var number = _kinds.Next(frame.Bytes[0], out var isFirst);
        if (isFirst) Firsts.Increment();
        number = number << 16 | _ports.Next(frame.Ingress.Index, out _) & 0xFFFF;
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[2..], number);
        frame.Flood();
    }
}

/// <summary>Has a component whose C# counts otherwise.</summary>
internal sealed class WrongStamper : Service
{
    public override void Process(ref Frame frame)
    {
        frame.Bytes[0] = (byte)Next(frame.Bytes[0]);
        frame.Flood();
    }

    [Clocked(typeof(WrongUnit), Latency = 1)]
    private static byte Next(byte number) => (byte)(number + 1);
}

/// <summary>Adds two where one is asked for.</summary>
internal static class WrongUnit
{
    [Kiwi.InputBitPort("valid")]
    private static bool s_valid;

    [Kiwi.InputWordPort("number")]
    private static byte s_number;

    [Kiwi.OutputWordPort("result")]
    private static byte s_result;

    [Kiwi.HardwareEntryPoint]
    public static void Run()
    {
        while (true)
        {
            Kiwi.Pause();
            s_result = s_valid ? (byte)(s_number + 2) : (byte)0;
        }
    }
}

/// <summary>Has a component without a result.</summary>
internal sealed class OtherPorts : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = Next(frame.Bytes[0]);

    [Clocked(typeof(WrongUnit), Latency = 1)]
    private static byte Next(byte kind) => (byte)(kind + 1);
}

/// <summary>Names a class that is no program.</summary>
internal sealed class NoProgram : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = Next(frame.Bytes[0]);

    [Clocked(typeof(OtherPorts), Latency = 1)]
    private static byte Next(byte kind) => (byte)(kind + 1);
}

/// <summary>Has a pin of each direction.</summary>
internal static class PinnedUnit
{
    [Kiwi.InputBitPort("valid")]
    private static bool s_valid;

    [Kiwi.InputBitPort("ready")]
    private static bool s_ready;

    [Kiwi.OutputWordPort("level")]
    private static byte s_level;

    [Kiwi.OutputWordPort("result")]
    private static byte s_result;

    [Kiwi.HardwareEntryPoint]
    public static void Run()
    {
        while (true)
        {
            Kiwi.Pause();
            s_result = s_valid ? (byte)1 : (byte)0;
            if (s_ready) s_level++;
        }
    }
}

/// <summary>Says nothing of what stands at the pins.</summary>
internal sealed class NoModel : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = One();

    [Clocked(typeof(PinnedUnit), Latency = 1)]
    private static byte One() => 1;
}

/// <summary>Has a model with other ports.</summary>
internal sealed class WrongModel : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = One();

    [Clocked(typeof(PinnedUnit), Latency = 1, Model = typeof(StampUnit))]
    private static byte One() => 1;
}

/// <summary>Has a model, and no pins.</summary>
internal sealed class NoPins : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = Next(frame.Bytes[0]);

    [Clocked(typeof(WrongUnit), Latency = 1, Model = typeof(PinnedUnit))]
    private static byte Next(byte number) => (byte)(number + 1);
}
