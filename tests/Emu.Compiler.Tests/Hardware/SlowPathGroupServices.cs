namespace Emu.Compiler.Tests;

/// <summary>
/// Services whose pipeline leaves some frames to a slow path of several engines: those whose first byte is odd follow
/// a chain of places in the frame, forwards and backwards, which no unit does.
/// </summary>
internal static class SlowPathGroupServices
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, Func<Service>> All { get; } = new Dictionary<string, Func<Service>>
    {
        ["chains"] = () => new Chains(),
        ["copies"] = () => new Copies(),
        ["other lengths"] = () => new Lengths(),
        ["a table's text"] = () => new Answers(),
        ["loops that write"] = () => new LowerCase(),
        ["faults"] = () => new Faulting(),
        ["state beside it"] = () => new Learning(),
    };

    private static bool IsChain(Frame frame) => (frame.Bytes[0] & 1) != 0;

    /// <summary>The turns of a chain.</summary>
    private static int Follow(Frame frame)
    {
        var (turns, at) = (0, frame.Bytes[1] & 63);
        while (at > 13 && at < frame.Length && turns < 150)
        {
            at = frame.Bytes[at] ^ turns & 63;
            turns++;
        }
        return turns;
    }

    private sealed class Chains : Service
    {
        private ulong _chains, _turns, _others;

        public override void Process(ref Frame frame)
        {
            if (!IsChain(frame))
            {
                _others++;
                frame.Bytes[13] = 1;
                frame.Reply();
                return;
            }
            _chains++;
            var turns = Follow(frame);
            _turns += (ulong)(turns & 255);
            if (turns % 5 == 1) return;
            frame.Bytes[13] = (byte)turns;
            frame.Flood();
        }
    }

    private sealed class Copies : Service
    {
        public override void Process(ref Frame frame)
        {
            if (!IsChain(frame))
            {
                if ((frame.Bytes[2] & 1) != 0) frame.Send(PortSet.Of(new PortId(2)));
                frame.Bytes[3] = 7;
                if ((frame.Bytes[2] & 2) != 0) frame.Send(PortSet.Of(new PortId(3)));
                if ((frame.Bytes[2] & 4) != 0) frame.Flood();
                return;
            }
            var turns = Follow(frame);
            for (var i = 0; i < turns % 4; i++)
            {
                frame.Bytes[4] = (byte)i;
                frame.Send(PortSet.Of(new PortId(i)));
            }
            if ((turns & 1) != 0) frame.Flood();
        }
    }

    private sealed class Lengths : Service
    {
        public override void Process(ref Frame frame)
        {
            if (!IsChain(frame))
            {
                if (frame.Length < 60) return;
                frame.Insert(14, 8);
                frame.Bytes[14] = frame.Bytes[2];
                frame.Flood();
                return;
            }
            frame.Resize(14 + Follow(frame) * 3);
            frame.Reply();
        }
    }

    private sealed class Answers : Service
    {
        private readonly byte[] _texts = [.. Enumerable.Range(0, 256).Select(i => (byte)(i * 37))];

        public override void Process(ref Frame frame)
        {
            if (frame.Length < 60) return;
            if (!IsChain(frame))
            {
                var start = frame.Bytes[2] & 127;
                frame.Resize(14 + 100);
                _texts.AsSpan(start, 100).CopyTo(frame.Bytes[14..]);
                frame.Reply();
                return;
            }
            frame.Bytes[13] = _texts[Follow(frame)];
            frame.Flood();
        }
    }

    private sealed class LowerCase : Service
    {
        public override void Process(ref Frame frame)
        {
            if (!IsChain(frame))
            {
                foreach (ref var letter in frame.Bytes[14..])
                    if (letter is >= (byte)'A' and <= (byte)'Z') letter |= 0x20;
                frame.Reply();
                return;
            }
            frame.Bytes[13] = (byte)Follow(frame);
            frame.Flood();
        }
    }

    private sealed class Faulting : Service
    {
        private readonly byte[] _codes = [.. Enumerable.Range(0, 100).Select(i => (byte)(i * 3))];

        public override void Process(ref Frame frame)
        {
            if (IsChain(frame)) frame.Bytes[5] = _codes[Follow(frame) * 4];
            frame.Flood();
        }
    }

    /// <summary>Frames of the slow path have nothing to do with the table.</summary>
    private sealed class Learning : Service
    {
        private readonly byte[] _last = new byte[256];

        public override void Process(ref Frame frame)
        {
            if (IsChain(frame))
            {
                frame.Bytes[13] = (byte)Follow(frame);
                frame.Flood();
                return;
            }
            ref var last = ref _last[frame.Bytes[2]];
            frame.Bytes[13] = last;
            last = frame.Bytes[3];
            frame.Reply();
        }
    }
}
