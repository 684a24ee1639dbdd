using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Adds to each of at most 7 records, of 6 bytes each; the frame says how many there are.</summary>
public sealed class CountedRecords : Service
{
    public override void Process(ref Frame frame)
    {
        var count = frame.Bytes[0];
        if (count > 7) return;
        for (var i = 0; i < count; i++)
        {
            var record = frame.Bytes.Slice(16 + 6 * i, 6);
            if ((record[0] & 1) == 0) continue;
            BinaryPrimitives.WriteUInt16BigEndian(record[2..], (ushort)(record[0] + i));
        }
        frame.Reply();
    }
}

/// <summary>Counts records of 12 bytes behind a first one, up to and with the last byte of at most 90.</summary>
public sealed class RecordsUpToAnEnd : Service
{
    private readonly byte[] _kinds = new byte[16];

    public Counter Seen { get; } = new();

    public override void Process(ref Frame frame)
    {
        var length = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes);
        if (length > 90 || length + 14 > frame.Length) return;
        for (var at = 12; at <= length; at += 12)
        {
            var kind = frame.Bytes[at] & 15;
            if (kind == 9) break;
            Seen.Increment();
            _kinds[kind]++;
        }
        frame.Bytes[1] = _kinds[frame.Bytes[2] & 15];
        frame.Reply();
    }
}

/// <summary>Clears as many words as a kind has.</summary>
public sealed class ClearedWords : Service
{
    public override void Process(ref Frame frame)
    {
        var words = (frame.Bytes[0] & 3) switch
        {
            0 => 1,
            1 => 4,
            _ => 2,
        };
        frame.Bytes.Slice(20, 4 * words).Clear();
        frame.Reply();
    }
}

/// <summary>
/// The count of turns has 8 bits and comes round: there are as many as the first byte says, less 250, or 6 more.
/// </summary>
public sealed class TurnsThatComeRound : Service
{
    private uint _turns;

    public override void Process(ref Frame frame)
    {
        var end = frame.Bytes[0] & 7;
        for (byte i = 250; (sbyte)i < end; i++) _turns++;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[2..], _turns);
        frame.Reply();
    }
}

/// <summary>
/// Adds as many numbers as a frame says to a row of a table, and puts the sums in their place, behind an IPv4 header of
/// any length.
/// </summary>
public sealed class SummedRows : Service
{
    private readonly ushort[] _sums = new ushort[8 * 16];

    public override void Process(ref Frame frame)
    {
        var header = frame.Bytes[14];
        var rest = frame.Bytes[(14 + 4 * (header & 15))..];
        var (row, count) = (frame.Bytes[1] & 7, frame.Bytes[0]);
        if (count > 16 || rest.Length < 2 * count) return;
        for (var i = 0; i < count; i++)
        {
            var sum = (ushort)(BinaryPrimitives.ReadUInt16BigEndian(rest[(2 * i)..]) + _sums[16 * row + i]);
            _sums[16 * row + i] = sum;
            BinaryPrimitives.WriteUInt16BigEndian(rest[(2 * i)..], sum);
        }
        frame.Reply();
    }
}
