// A Nest server whose controller keeps songs through nestjs-dynamoose. Dynamoose makes the table. `local` is its name for the endpoint.
import 'reflect-metadata';
import {Controller, Get, Module, Param, Query} from '@nestjs/common';
import {NestFactory} from '@nestjs/core';
import {Schema} from 'dynamoose';
import {DynamooseModule, InjectModel, Model} from 'nestjs-dynamoose';

interface Key {
  artist: string;
}
interface Song extends Key {
  year: number;
}

@Controller('songs')
class Songs {
  constructor(@InjectModel('NestSongs') private readonly songs: Model<Song, Key>) {}

  @Get(':artist')
  async song(@Param('artist') artist: string, @Query('year') year?: string) {
    if (year) {
      await this.songs.create({artist, year: Number(year)});
    }
    return {year: (await this.songs.get({artist})).year};
  }
}

@Module({
  imports: [
    DynamooseModule.forRoot({local: process.env.AWS_ENDPOINT_URL_DYNAMODB}),
    DynamooseModule.forFeature([{name: 'NestSongs', schema: new Schema({artist: {type: String, hashKey: true}, year: Number})}]),
  ],
  controllers: [Songs],
})
class App {}

NestFactory.create(App).then((app) => app.listen(Number(process.env.PORT), '127.0.0.1'));
