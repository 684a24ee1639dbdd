using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops that take fields of a message into state are folds, and leave there what C# leaves.</summary>
public sealed class StorePromotionPassTests
{
    /// <summary>
    /// Takes fields into the row of a port; a bad one ends it, or is a fault, and what was taken until then stays.
    /// </summary>
    private sealed class PortRows : Service
    {
        private struct Row
        {
            public byte Kind;
            public ushort Number;
        }

        private readonly Row[] _rows = new Row[4];

        public uint Last { get; private set; }

        public override void Process(ref Frame frame)
        {
            ref var row = ref _rows[frame.Ingress.Index & 3];
            var fields = frame.Bytes[14..];
            while (fields.Length >= 2 && fields[0] != 0)
            {
                var length = (fields[1] & 15) + 2;
                if (fields[0] == 9) return;
                if (fields[0] == 1) row.Kind = fields[2];
                if (fields[0] is 2 or 3)
                {
                    row.Number = BinaryPrimitives.ReadUInt16BigEndian(fields[2..]);
                    if (fields[0] == 3) Last = fields[2];
                }
                fields = fields[length..];
            }
            frame.ForwardTo(new PortId((row.Number ^ row.Kind) & 3));
        }
    }

    /// <summary>Takes more of a message than a fold gives.</summary>
    private sealed class WideRows : Service
    {
        private struct Row
        {
            public ulong Name;
            public ulong Address;
            public uint Serial;
            public bool IsKnown;
        }

        private readonly Row[] _rows = new Row[4];

        public override void Process(ref Frame frame)
        {
            if (TryTake(frame.Bytes[14..], ref _rows[frame.Ingress.Index & 3]))
                frame.ForwardTo(new PortId(1));
        }

        private static bool TryTake(Span<byte> fields, ref Row row)
        {
            var taken = 0;
            while (fields.Length >= 10 && fields[0] != 0)
            {
                var length = (fields[1] & 7) + 10;
                if (length > fields.Length) return false;
                if (fields[0] == 1)
                {
                    row.Name = BinaryPrimitives.ReadUInt64BigEndian(fields[2..]);
                    row.IsKnown = true;
                }
                if (fields[0] == 2)
                {
                    row.Address = BinaryPrimitives.ReadUInt64BigEndian(fields[2..]);
                    row.Serial = BinaryPrimitives.ReadUInt32BigEndian(fields[6..]);
                }
                if (fields[0] < 3) taken++;
                fields = fields[length..];
            }
            return taken > 1;
        }
    }

    [Fact]
    public void What_turns_write_stays_where_a_field_is_bad() => Check(() => new PortRows());

    [Fact]
    public void It_may_be_more_than_a_fold_gives()
    {
        Check(() => new WideRows());
        var folds = HardwareCompiler.Compile(new WideRows(), new HardwareOptions()).Compilation.Fast!
            .Blocks().SelectMany(block => block.Operations).Count(o => o.Opcode == Opcode.FrameFold);
        Assert.Equal(2, folds);
    }

    private static void Check(Func<Service> make)
    {
        var loops = HardwareCompiler.Compile(make(), new HardwareOptions()).Compilation.Fast!;
        Assert.True(loops.Has(Opcode.FrameFold));
        var random = new Random(7);
        Ladder.Check(
            make,
            [.. Enumerable.Range(0, 300).Select(i =>
            {
                var bytes = new byte[14 + i % 70];
                random.NextBytes(bytes);
                for (var at = 14; at < bytes.Length; at++)
                    if (random.Next(2) == 0) bytes[at] = (byte)(random.Next(40) == 0 ? 9 : random.Next(1, 4));
                return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
            })],
            new LadderOptions
            {
                BusBits = [64, 256, 512],
                Layouts = [Layout.Pipeline],
                Outside = OutsideSimulators.None,
            });
    }
}
