namespace Emu.Core.Tests;

/// <summary>Blocks beside plainer ones that do the same.</summary>
public sealed class BlockTests
{
    [Fact]
    public void A_bucket_gives_what_it_has_and_fills_at_its_rate()
    {
        var buckets = new TokenBuckets(count: 2, rate: 1_000_000, burst: 10);
        const ulong Now = 1_700_000_000_000_000_000;
        Assert.True(buckets.TryTake(0, 7, Now));
        Assert.False(buckets.TryTake(0, 4, Now));
        Assert.True(buckets.TryTake(0, 3, Now));
        Assert.False(buckets.TryTake(0, 1, Now + 999));
        Assert.True(buckets.TryTake(0, 1, Now + 1000));
        Assert.True(buckets.TryTake(1, 10, Now + 1000));
        Assert.False(buckets.TryTake(1, 11, Now + 1_000_000_000));
    }

    [Fact]
    public void Buckets_are_those_that_count_their_tokens()
    {
        const int Rate = 1000, Burst = 20;
        const ulong Interval = 1_000_000;
        var (random, buckets) = (new Random(1), new TokenBuckets(4, Rate, Burst));
        var counted = Enumerable.Repeat((Units: Burst * Interval, Last: 0UL), 4).ToArray();
        var time = 0UL;
        for (var i = 0; i < 20_000; i++)
        {
            time += (ulong)random.Next(2_000_000);
            var (bucket, tokens) = (random.Next(4), (uint)random.Next(25));
            var units = Math.Min(Burst * Interval, counted[bucket].Units + time - counted[bucket].Last);
            var isEnough = units >= tokens * Interval;
            counted[bucket] = (isEnough ? units - tokens * Interval : units, time);
            Assert.Equal(isEnough, buckets.TryTake(bucket, tokens, time));
        }
    }

    [Fact]
    public void A_queue_is_a_queue()
    {
        var (random, fifo, queue) = (new Random(1), new Fifo<int>(8), new Queue<int>());
        for (var i = 0; i < 10_000; i++)
        {
            if (random.Next(2) == 0)
            {
                var isAdded = queue.Count < 8;
                if (isAdded) queue.Enqueue(i);
                Assert.Equal(isAdded, fifo.TryEnqueue(i));
            }
            else
            {
                Assert.Equal(queue.TryDequeue(out var expected), fifo.TryDequeue(out var value));
                Assert.Equal(expected, value);
            }
            Assert.Equal(queue.Count, fifo.Count);
        }
    }

    [Fact]
    public void A_sketch_never_counts_too_little_and_seldom_too_much()
    {
        const int Columns = 256;
        var (random, sketch) = (new Random(1), new CountMinSketch<IPv4Address>(rows: 4, Columns, hashSeed: 5));
        var counts = new Dictionary<uint, uint>();
        uint all = 0;
        var tooMuch = 0;
        for (var i = 0; i < 20_000; i++)
        {
            var (key, amount) = ((uint)random.Next(1 << random.Next(1, 14)), (uint)random.Next(5));
            counts[key] = counts.GetValueOrDefault(key) + amount;
            all += amount;
            var count = sketch.Add(new IPv4Address(key), amount);
            Assert.True(count >= counts[key]);
            if (count - counts[key] > 2 * all / Columns) tooMuch++;
        }
        Assert.InRange(tooMuch, 0, 20_000 / 16);
    }

    [Fact]
    public void A_counter_of_a_sketch_stays_at_its_most()
    {
        var sketch = new CountMinSketch<IPv4Address>(2, 2, 1);
        Assert.Equal(uint.MaxValue - 1, sketch.Add(default, uint.MaxValue - 1));
        Assert.Equal(uint.MaxValue, sketch.Add(default, 5));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(1000)]
    public void A_constant_table_is_its_dictionary(int count)
    {
        var random = new Random(count);
        var all = new Dictionary<IPv4Address, ushort>();
        while (all.Count < count) all[new IPv4Address((uint)random.Next() << random.Next(2))] = (ushort)random.Next();
        var table = new ConstantTable<IPv4Address, ushort>(all);
        foreach (var (key, value) in all)
        {
            Assert.True(table.TryGet(key, out var found));
            Assert.Equal(value, found);
            var other = new IPv4Address(key.Bits ^ 1);
            Assert.Equal(all.TryGetValue(other, out var expected), table.TryGet(other, out found));
            Assert.Equal(expected, found);
        }
        Assert.Equal(all.ContainsKey(default), table.TryGet(default, out _));
    }

    [Fact]
    public void Numbers_outside_of_their_range_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new TokenBuckets(0, 1, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TokenBuckets(1, 0, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TokenBuckets(1, 1_000_000_001, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TokenBuckets(1, 1, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new Fifo<int>(3));
        Assert.Throws<ArgumentOutOfRangeException>(() => new CountMinSketch<IPv4Address>(0, 2, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new CountMinSketch<IPv4Address>(1, 3, 1));
    }
}
