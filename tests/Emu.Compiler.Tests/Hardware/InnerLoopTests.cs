using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A loop over the payload with a loop in each turn, whose length a byte decides.</summary>
public sealed class InnerLoopTests
{
    [Fact]
    public void It_is_deferred_and_does_what_CSharp_does() =>
        Agreement.Check(new Subject(() => new Strides()), [.. Frames()], [
            .. Ladder.Rungs.Skip(1),
            new HardwareRung("pipeline", Layout.Pipeline),
        ]);

    private static IEnumerable<IncomingFrame> Frames()
    {
        var random = new Random(11);
        for (var i = 0; i < 40; i++)
        {
            var bytes = new byte[60 + random.Next(80)];
            if (i % 3 > 0) random.NextBytes(bytes);
            yield return new IncomingFrame(i % Subject.Ports, bytes, 1000 * (ulong)i);
        }
    }

    private sealed class Strides : Service
    {
        public override void Process(ref Frame frame)
        {
            frame.Flood();
            if (frame.Bytes[0] == 0) return;
            byte count = 0;
            foreach (var octet in frame.Bytes)
                for (var i = 0; i < (octet & 7); i++) count = (byte)(count * 3 + i);
            frame.Bytes[0] = count;
        }
    }
}
